import type { UserPrincipal } from '../../core/access.js';
import { MAX_GROUP_PARTICIPANTS } from '../../core/limits.js';
import { CONVERSATION_ID_PATTERN, DM_EVENT_TYPES, type DmEvent } from '../../core/direct-message.js';
import type { DmEventId, UserId } from '../../core/ids.js';
import * as v from '../../core/validators.js';
import { userRead, userWrite, type AnyEndpoint, endpoint } from '../endpoint.js';
import { changeEndpoint } from '../change-endpoint.js';
import { jsonBody, idField } from '../body/body.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { dmEventFieldParams } from '../params/families.js';
import { choicesParam, idParam, inPath, patternParam } from '../params/params.js';
import { dataSchema, singleSchema } from '../schemas/envelopes.js';
import { lookupOf, viewOf } from '../viewer.js';
import { messageField, messageInput } from './message-body.js';

/** See docs/api/messages.md. */

const tag = 'Direct messages';
const DAY_SECONDS = 86_400;

/** Reading messages requires the permission for direct messages (docs/api/authentication.md#permissions). */
const reading = { ...userRead('dm.read'), permission: 'read_write_dm' } as const;
const writing = { ...userWrite('dm.write'), permission: 'read_write_dm' } as const;

/** The common limit for reading messages (docs/api/limits.md#rate-limits). */
export const MESSAGE_READS = [{ per: 'user', limit: 300, pool: 'message reads' }] as const;
const sendLimits = [
  { per: 'user', limit: 200, pool: 'messages' },
  { per: 'user', limit: 1000, windowSeconds: DAY_SECONDS, pool: 'messages' },
  { per: 'app-users', limit: 15_000, windowSeconds: DAY_SECONDS, pool: 'messages' },
] as const;

export const conversationParams = {
  dm_conversation_id: inPath(
    patternParam(CONVERSATION_ID_PATTERN, 'The conversation.', '1346889436626259968-1346889436626259970'),
  ),
};
const participantParams = { participant_id: inPath(idParam<UserId>('The other user.')) };
const eventParams = { event_id: inPath(idParam<DmEventId>('The event.')) };

const read = { tag, access: reading, rateLimits: MESSAGE_READS } as const;

/** The common part of the three lists. */
const list = { ...read, page: { min: 1, max: 100, default: 100 }, component: 'DmEvent' } as const;
const listParams = {
  event_types: choicesParam(DM_EVENT_TYPES, 'Kinds of events to return; all by default.'),
  ...dmEventFieldParams,
};

/** The common part of the three ways to send. */
const sending = {
  tag,
  method: 'POST',
  access: writing,
  rateLimits: sendLimits,
  success: 201,
  response: dataSchema({ dm_conversation_id: { type: 'string' }, dm_event_id: { type: 'string' } }),
} as const;

const messageBody = jsonBody(messageField, { flat: { media_id: 'attachments.0.media_id' } });

const groupBody = jsonBody(
  v.object({
    conversation_type: v.oneOf(['Group'], 'Optional; Group is the only value.'),
    participant_ids: v.required(
      v.list(v.required(idField<UserId>()), {
        min: 1,
        max: MAX_GROUP_PARTICIPANTS,
        description: 'The other members of the group.',
      }),
    ),
    message: v.required(messageField),
  }),
  {
    flat: {
      text: 'message.text',
      attachments: 'message.attachments',
      media_id: 'message.attachments.0.media_id',
    },
  },
);

function sent(event: DmEvent) {
  return { data: { dm_conversation_id: event.conversationId, dm_event_id: String(event.id) } };
}

type EventCall = Parameters<typeof viewOf>[0] & {
  readonly principal: UserPrincipal;
  readonly params: { readonly 'dm_event.fields': ReadonlySet<string> };
};

/** Returns the arguments of views of events. */
export function eventView(call: EventCall) {
  return {
    viewerId: call.principal.userId,
    selection: viewOf(call).selection,
    eventFields: call.params['dm_event.fields'],
  };
}

export const directMessageEndpoints: readonly AnyEndpoint[] = [
  pagedEndpoint({
    ...list,
    operationId: 'getDmEvents',
    summary: 'Events in the conversations of the user in the last 30 days, newest first',
    path: '/2/dm_events',
    params: listParams,
    list: ({ dms }, { principal, params }, page) =>
      dms.listEvents(principal.userId, params.event_types, page),
    show: ({ views }, call, refs) => views.dmEvents({ refs, ...eventView(call) }),
  }),
  endpoint({
    ...read,
    operationId: 'getDmEventsById',
    summary: 'One event of a conversation of the user',
    path: '/2/dm_events/{event_id}',
    params: { ...eventParams, ...dmEventFieldParams },
    response: singleSchema('DmEvent'),
    handler: ({ views }, call) =>
      views.dmEvent({ ...lookupOf(call, 'event_id'), ...eventView(call), id: call.params.event_id }),
  }),
  pagedEndpoint({
    ...list,
    operationId: 'getDmConversationsWithParticipantIdDmEvents',
    summary: 'Events between the user and another user, newest first',
    path: '/2/dm_conversations/with/{participant_id}/dm_events',
    params: { ...participantParams, ...listParams },
    list: ({ dms }, { principal, params }, page) =>
      dms.listConversationWith(principal.userId, params.participant_id, params.event_types, page),
    show: ({ views }, call, refs) => views.dmEvents({ refs, ...eventView(call) }),
  }),
  pagedEndpoint({
    ...list,
    operationId: 'getDmConversationsIdDmEvents',
    summary: 'Events in a conversation of the user, newest first',
    path: '/2/dm_conversations/{dm_conversation_id}/dm_events',
    params: { ...conversationParams, ...listParams },
    list: ({ dms }, { principal, params }, page) =>
      dms.listConversation(principal.userId, params.dm_conversation_id, params.event_types, page),
    show: ({ views }, call, refs) => views.dmEvents({ refs, ...eventView(call) }),
  }),
  endpoint({
    ...sending,
    operationId: 'dmConversationWithUserEventIdCreate',
    summary: 'Sends a message to a user',
    path: '/2/dm_conversations/with/{participant_id}/messages',
    params: participantParams,
    body: messageBody,
    handler: async ({ dms }, { principal, params, body }) =>
      sent(await dms.sendToUser(principal, params.participant_id, messageInput(body))),
  }),
  endpoint({
    ...sending,
    operationId: 'dmConversationByIdEventIdCreate',
    summary: 'Sends a message to a conversation of the user',
    path: '/2/dm_conversations/{dm_conversation_id}/messages',
    params: conversationParams,
    body: messageBody,
    handler: async ({ dms }, { principal, params, body }) =>
      sent(await dms.sendToConversation(principal, params.dm_conversation_id, messageInput(body))),
  }),
  endpoint({
    ...sending,
    operationId: 'dmConversationIdCreate',
    summary: 'Creates a group conversation with a message',
    path: '/2/dm_conversations',
    body: groupBody,
    handler: async ({ dms }, { principal, body }) =>
      sent(await dms.createGroup(principal, body.participant_ids, messageInput(body.message))),
  }),
  changeEndpoint({
    operationId: 'dmEventDelete',
    tag,
    summary: 'Hides an event from the user only',
    method: 'DELETE',
    path: '/2/dm_events/{event_id}',
    access: {
      contexts: ['oauth1', 'oauth2'],
      scopes: ['dm.read', 'dm.write'],
      permission: 'read_write_dm',
    },
    rateLimits: [{ per: 'user', limit: 300 }],
    params: eventParams,
    answers: { deleted: true },
    run: ({ dms }, { principal, params }) => dms.deleteEvent(principal, params.event_id),
  }),
];
