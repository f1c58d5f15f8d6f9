import { permits, type UserPrincipal } from '../../../core/access.js';
import type { UserId } from '../../../core/ids.js';
import { count, fullObject, listOf, object, ref, text } from '../../../core/json-schema.js';
import { NOTIFICATION_KINDS } from '../../../core/notification.js';
import type { Cursor } from '../../../core/page.js';
import * as v from '../../../core/validators.js';
import type { Notification } from '../../../services/notifications/notifications.js';
import type { ApiContext } from '../../context.js';
import { type AnyEndpoint, endpoint, perQuarterHour, userRead, userWrite } from '../../endpoint.js';
import { idField, jsonBody } from '../../body/body.js';
import { pagedEndpoint } from '../../paged-endpoint.js';
import { postFieldParams } from '../../params/families.js';
import { choicesParam } from '../../params/params.js';
import { dataSchema } from '../../schemas/envelopes.js';
import { viewOf } from '../../viewer.js';

/** See docs/api/pipit.md#notifications. */

const common = { tag: 'Pipit', rateLimits: perQuarterHour({ user: 900 }) } as const;

export const notificationEndpoints: readonly AnyEndpoint[] = [
  pagedEndpoint({
    ...common,
    operationId: 'getNotifications',
    summary: 'The notifications of the user, newest first',
    path: '/_pipit/notifications',
    access: userRead(),
    params: {
      types: choicesParam(NOTIFICATION_KINDS, 'The kinds of notifications to list; by default all.'),
      ...postFieldParams,
    },
    page: { min: 1, max: 100, default: 20 },
    component: 'Notification',
    response: object(
      {
        data: listOf(ref('Notification')),
        includes: ref('Includes'),
        errors: listOf(ref('Error')),
        meta: object({ result_count: count, unread_count: count, next_token: text, previous_token: text }, [
          'result_count',
          'unread_count',
        ]),
      },
      ['meta'],
    ),
    list: ({ notifications }, { principal, params }, page) =>
      notifications.list(principal.userId, params.types, page),
    show: async (context, call, notifications) => {
      const { selection } = viewOf(call);
      const { userId: viewerId } = call.principal;
      const shown = await context.views.notifications({ notifications, viewerId, selection });
      return { ...shown, meta: { unread_count: await countUnread(context, viewerId) } };
    },
  }),
  endpoint({
    ...common,
    operationId: 'readNotifications',
    summary: 'Marks the notifications up to one as read',
    method: 'POST',
    path: '/_pipit/notifications/read',
    access: userWrite(),
    body: jsonBody(
      v.object({ up_to_id: v.required(idField('The newest notification that the user has seen.')) }),
    ),
    response: dataSchema({ unread_count: count }),
    handler: async (context, { principal, body }) => {
      await context.notifications.markRead(principal, body.up_to_id);
      return { data: { unread_count: await countUnread(context, principal.userId) } };
    },
  }),
  endpoint({
    ...common,
    operationId: 'countUnread',
    summary: 'How many notifications and messages the user has not read, up to 100 notifications',
    path: '/_pipit/notifications/unread_count',
    access: userRead(),
    response: fullObject({ data: object({ unread_count: count, unread_messages: count }, ['unread_count']) }),
    handler: async (context, { principal }) => ({ data: await unreadOf(context, principal) }),
  }),
];

/** Returns what the user has not read, as far as the credentials may read it. */
export async function unreadOf(
  context: ApiContext,
  principal: UserPrincipal,
): Promise<{ unread_count: number; unread_messages?: number }> {
  const unread_count = await countUnread(context, principal.userId);
  if (!mayReadMessages(principal)) return { unread_count };
  return { unread_count, unread_messages: await context.dms.countUnread(principal.userId) };
}

/** More unread notifications than these are not counted (docs/api/pipit.md#notifications). */
const MAX_UNREAD = 100;

/** Bounds the work for a user with many notifications that are not visible. */
const MAX_CHUNKS = 5;

/** Counts the unread notifications that the user may see, up to a bound. */
async function countUnread({ notifications, views }: ApiContext, viewerId: UserId): Promise<number> {
  let unread = 0;
  let cursor: Cursor | undefined;
  const countShown = async (all: readonly Notification[]): Promise<readonly Notification[]> => {
    const hidden = await views.hiddenNotifications({ notifications: all, viewerId });
    unread += all.length - hidden.size;
    return all.filter(({ lastKey }) => hidden.has(lastKey));
  };
  for (let chunk = 0; chunk < MAX_CHUNKS && unread < MAX_UNREAD; chunk += 1) {
    const page = await notifications.listUnread(viewerId, { limit: MAX_UNREAD, cursor });
    // Mostly one of the newest users of a group is visible, and the others need not be read.
    await countShown(await notifications.withMoreActors(viewerId, await countShown(page.items)));
    cursor = page.next;
    if (!cursor) break;
  }
  return Math.min(unread, MAX_UNREAD);
}

/** Reports whether the credentials of a user include the reading of messages. */
function mayReadMessages(principal: UserPrincipal): boolean {
  if (!permits(principal.permission, 'read_write_dm')) return false;
  return principal.context !== 'oauth2' || principal.scopes.has('dm.read');
}
