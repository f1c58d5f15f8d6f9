import { ACTIVITY_DIRECTIONS, ACTIVITY_TYPES } from '../../core/activity.js';
import { date, id, object, oneOf, text } from '../../core/json-schema.js';

/** A subscription to activity (docs/api/activity.md#subscriptions). */
export const activitySubscription = object(
  {
    created_at: date,
    event_type: oneOf(...ACTIVITY_TYPES),
    filter: object({ user_id: id, keyword: text, direction: oneOf(...ACTIVITY_DIRECTIONS) }),
    subscription_id: id,
    tag: text,
    updated_at: date,
    webhook_id: id,
  },
  ['created_at', 'event_type', 'filter', 'subscription_id', 'updated_at'],
);
