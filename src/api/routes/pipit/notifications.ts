import type { NotificationId } from '../../../core/ids.js';
import { count } from '../../../core/json-schema.js';
import * as v from '../../../core/validators.js';
import { viewNotifications } from '../../../views/notification-page.js';
import { idField, jsonBody } from '../../body/body.js';
import { type AnyEndpoint, endpoint, perQuarterHour, userRead, userWrite } from '../../endpoint.js';
import { pagedEndpoint } from '../../paged-endpoint.js';
import { dataSchema } from '../../schemas/envelopes.js';

/** See docs/api/pipit.md#notifications. */

const common = { tag: 'Pipit', access: userRead() } as const;

export const notificationEndpoints: readonly AnyEndpoint[] = [
  pagedEndpoint({
    ...common,
    operationId: 'getNotifications',
    summary: 'What others did that concerns the user, newest first',
    path: '/_pipit/notifications',
    rateLimits: perQuarterHour({ user: 180 }),
    params: {},
    page: { min: 1, max: 100, default: 50 },
    component: 'Notification',
    list: ({ notifications }, { principal }, page) => notifications.list(principal.userId, page),
    show: (_context, _call, items) => Promise.resolve(viewNotifications(items)),
  }),
  endpoint({
    ...common,
    operationId: 'countUnread',
    summary: 'How many notifications and messages the user has not read',
    path: '/_pipit/notifications/unread_count',
    rateLimits: perQuarterHour({ user: 900 }),
    response: dataSchema({ unread_count: count, unread_messages: count }),
    handler: async ({ notifications, dms }, { principal: { userId } }) => {
      const [unread_count, unread_messages] = await Promise.all([
        notifications.countUnread(userId),
        dms.countUnread(userId),
      ]);
      return { data: { unread_count, unread_messages } };
    },
  }),
  endpoint({
    ...common,
    access: userWrite(),
    operationId: 'readNotifications',
    summary: 'Marks notifications as read up to one of them',
    method: 'POST',
    path: '/_pipit/notifications/read',
    rateLimits: perQuarterHour({ user: 900 }),
    body: jsonBody(
      v.object({ up_to_id: v.required(idField<NotificationId>('The newest one that the user has read.')) }),
    ),
    response: dataSchema({ unread_count: count }),
    handler: async ({ notifications }, { principal, body }) => ({
      data: { unread_count: await notifications.read(principal.userId, body.up_to_id) },
    }),
  }),
];
