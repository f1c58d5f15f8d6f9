import {
  ACTIVITY_DIRECTIONS,
  ACTIVITY_SCOPES,
  ACTIVITY_TYPES,
  activityRuleOf,
  type ActivityFilter,
  type ActivitySubscription,
  type ActivityType,
} from '../../core/activity.js';
import type { Principal } from '../../core/access.js';
import { forbidden, invalidRequest } from '../../core/errors.js';
import type { ActivitySubscriptionId, UserId, WebhookId } from '../../core/ids.js';
import { count, flag, fullObject, id, listOf, object, ref, text } from '../../core/json-schema.js';
import { MAX_ACTIVITY_TAG_CHARACTERS } from '../../core/limits.js';
import * as v from '../../core/validators.js';
import { noSubscription } from '../../services/activity/activity-subscriptions.js';
import { faultOfFilter, faultOfSubscriber } from '../../services/activity/filter-rules.js';
import { presentDate } from '../../views/present/dates.js';
import { idField, jsonBody } from '../body/body.js';
import type { ApiContext } from '../context.js';
import { type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { authorize } from '../guards.js';
import { pageParams } from '../paged-endpoint.js';
import { idListParam, idParam, inPath, required } from '../params/params.js';
import { viewerOf } from '../viewer.js';

/** Subscriptions to activity (docs/api/activity.md#subscriptions). */

const PATH = '/2/activity/subscriptions';
const MAX_LISTED = 1_000;
const MAX_AT_ONCE = 100;

/** A deprecated name that is still taken. */
const FORMER_NAME = 'chat.conversation_join';
const CURRENT_NAME: ActivityType = 'chat.conversation.join';
const SENT_TYPES: readonly (ActivityType | typeof FORMER_NAME)[] = [...ACTIVITY_TYPES, FORMER_NAME];

const common = { tag: 'Activity', rateLimits: perQuarterHour({ app: 500, user: 500 }) } as const;
const ofApp = { ...common, rateLimits: perQuarterHour({ app: 500 }), access: { contexts: ['app'] } } as const;

const tag = v.text({
  min: 1,
  max: MAX_ACTIVITY_TAG_CHARACTERS,
  description: 'A label that the events carry.',
  example: 'herons',
});

const webhook_id = idField<WebhookId>('The webhook to which the events are delivered, besides the stream.');

const filter = v.object(
  {
    user_id: idField<UserId>('The user whose activity is meant.'),
    keyword: v.text({ min: 1, description: 'A word, for `news.new`.', example: 'heron' }),
    direction: v.oneOf(
      ACTIVITY_DIRECTIONS,
      'What happened to the user, or what the user did. Default: both.',
    ),
  },
  'A user, or a keyword for `news.new`.',
);

const creation = v.object({
  event_type: v.required(v.oneOf(SENT_TYPES, 'The kind of activity.')),
  filter: v.required(filter),
  tag,
  webhook_id,
});

const inPathParams = { subscription_id: inPath(idParam<ActivitySubscriptionId>('The subscription.')) };
const meta = object(
  { total_subscriptions: count, result_count: count, next_token: text, previous_token: text },
  ['total_subscriptions'],
);

export const activitySubscriptionEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'getActivitySubscriptions',
    summary: 'The subscriptions of the app, or those that the user made with it, newest first',
    path: PATH,
    access: { contexts: ['app', 'oauth1', 'oauth2'], scopes: ['tweet.read'] },
    params: pageParams({ min: 1, max: MAX_LISTED, default: MAX_LISTED }),
    response: object({ data: listOf(ref('ActivitySubscription')), meta }, ['meta']),
    handler: async ({ activitySubscriptions, paging }, { principal, params }) => {
      const paged = { operationId: 'getActivitySubscriptions', principal, params };
      const owner = ownerOf(principal);
      const page = await activitySubscriptions.page(owner, paging.open(paged));
      const total_subscriptions = await activitySubscriptions.count(owner);
      const data = page.items.map(present);
      const shownMeta = { total_subscriptions, result_count: data.length, ...paging.tokens(paged, page) };
      return data.length === 0 ? { meta: shownMeta } : { data, meta: shownMeta };
    },
  }),
  endpoint({
    ...common,
    operationId: 'createActivitySubscription',
    summary: 'Subscribes to one kind of activity of a user',
    method: 'POST',
    path: PATH,
    access: { contexts: ['app', 'oauth1', 'oauth2'], anyScope: ACTIVITY_SCOPES },
    body: jsonBody(creation),
    conflicts: true,
    response: fullObject({ data: fullObject({ subscription: ref('ActivitySubscription') }), meta }),
    handler: async (context, { principal, body }) => {
      const type = body.event_type === FORMER_NAME ? CURRENT_NAME : body.event_type;
      const wanted = readFilter(type, body.filter);
      requireAccess(type, wanted, principal);
      const made = await context.activitySubscriptions.subscribe({
        ...ownerOf(principal),
        ...wanted,
        type,
        tag: body.tag,
        webhookId: body.webhook_id,
      });
      return { data: { subscription: present(made) }, meta: await totalOf(context, principal) };
    },
  }),
  endpoint({
    ...ofApp,
    operationId: 'deleteActivitySubscriptionsByIds',
    summary: 'Ends subscriptions of the app',
    method: 'DELETE',
    path: PATH,
    params: { ids: required(idListParam<ActivitySubscriptionId>('The subscriptions.', MAX_AT_ONCE)) },
    response: object(
      {
        data: listOf(fullObject({ subscription_id: id, deleted: flag })),
        errors: listOf(fullObject({ subscription_id: id, message: text, reason: text })),
        meta,
      },
      ['meta'],
    ),
    handler: async (context, { principal, params }) => {
      const ids = [...new Set(params.ids)];
      const deleted = await context.activitySubscriptions.delete(principal.app.id, ids);
      const missing = ids.filter((subscriptionId) => !deleted.has(subscriptionId));
      return {
        ...(deleted.size > 0 && { data: ids.filter((one) => deleted.has(one)).map(presentDeleted) }),
        ...(missing.length > 0 && { errors: missing.map(presentMissing) }),
        meta: await totalOf(context, principal),
      };
    },
  }),
  endpoint({
    ...ofApp,
    operationId: 'updateActivitySubscription',
    summary: 'Changes the tag or the webhook of a subscription',
    method: 'PUT',
    path: `${PATH}/{subscription_id}`,
    params: inPathParams,
    body: jsonBody(v.object({ tag, webhook_id })),
    response: fullObject({
      data: fullObject({ subscription: ref('ActivitySubscription'), total_subscriptions: count }),
      meta,
    }),
    handler: async (context, { principal, params, body }) => {
      const { id: appId } = principal.app;
      const changes = { tag: body.tag, webhookId: body.webhook_id };
      const changed = await context.activitySubscriptions.change(appId, params.subscription_id, changes);
      const total = await totalOf(context, principal);
      return { data: { subscription: present(changed), ...total }, meta: total };
    },
  }),
  endpoint({
    ...ofApp,
    operationId: 'deleteActivitySubscription',
    summary: 'Ends a subscription of the app',
    method: 'DELETE',
    path: `${PATH}/{subscription_id}`,
    params: inPathParams,
    response: fullObject({ data: fullObject({ deleted: flag }), meta }),
    handler: async (context, { principal, params: { subscription_id: subscriptionId } }) => {
      const deleted = await context.activitySubscriptions.delete(principal.app.id, [subscriptionId]);
      if (deleted.size === 0) throw noSubscription(subscriptionId);
      return { data: { deleted: true }, meta: await totalOf(context, principal) };
    },
  }),
];

/** Returns whose subscriptions a caller sees: an app all of its own, a user those made with the app. */
function ownerOf(principal: Principal) {
  return { appId: principal.app.id, subscriberId: viewerOf(principal) };
}

async function totalOf({ activitySubscriptions }: ApiContext, principal: Principal) {
  return { total_subscriptions: await activitySubscriptions.count(ownerOf(principal)) };
}

/** Throws 'invalid-request' unless the filter fits the type. */
function readFilter(type: ActivityType, sent: v.ValueOf<typeof filter>): ActivityFilter {
  const { user_id: userId, keyword, direction } = sent;
  const fault = faultOfFilter(type, { userId, keyword, direction });
  if (fault) {
    const { member, isMissing } = fault;
    const message = `The event type ${type} ${isMissing ? 'requires' : 'has no'} \`filter.${member}\``;
    throw invalidRequest(`$.filter.${member}`, [], message);
  }
  return { userId, keyword, direction };
}

/** Throws as `authorize` does, and 'forbidden' if a private kind is not the user's own. */
function requireAccess(type: ActivityType, wanted: ActivityFilter, principal: Principal): void {
  const { scope, permission, isPrivate = false } = activityRuleOf(type);
  const contexts = isPrivate ? (['oauth1', 'oauth2'] as const) : (['app', 'oauth1', 'oauth2'] as const);
  authorize({ contexts, scopes: [scope], permission }, principal);
  const fault = faultOfSubscriber(type, wanted, viewerOf(principal));
  if (fault !== undefined) throw forbidden(fault);
}

function present(subscription: ActivitySubscription) {
  const { userId, keyword, direction, createdAtMs, updatedAtMs, webhookId } = subscription;
  return {
    created_at: presentDate(createdAtMs),
    event_type: subscription.type,
    filter: { user_id: userId === undefined ? undefined : String(userId), keyword, direction },
    subscription_id: String(subscription.id),
    tag: subscription.tag,
    updated_at: presentDate(updatedAtMs),
    webhook_id: webhookId === undefined ? undefined : String(webhookId),
  };
}

function presentDeleted(subscriptionId: bigint) {
  return { subscription_id: String(subscriptionId), deleted: true };
}

function presentMissing(subscriptionId: bigint) {
  const message = 'The app has no subscription with this id.';
  return { subscription_id: String(subscriptionId), message, reason: 'SubscriptionNotFound' };
}
