import type { DmEventId } from '../../../core/ids.js';
import { count } from '../../../core/json-schema.js';
import * as v from '../../../core/validators.js';
import { type AnyEndpoint, endpoint, perQuarterHour, userRead } from '../../endpoint.js';
import { idField, jsonBody } from '../../body/body.js';
import { pagedEndpoint } from '../../paged-endpoint.js';
import { dmEventFieldParams } from '../../params/families.js';
import { dataSchema, singleSchema } from '../../schemas/envelopes.js';
import { conversationParams, eventView } from '../direct-messages.js';
import { onlyOne } from '../../../views/includes.js';

/** See docs/api/pipit.md#conversations-of-messages. */

const common = {
  tag: 'Pipit',
  access: { ...userRead('dm.read'), permission: 'read_write_dm' },
} as const;

export const dmConversationEndpoints: readonly AnyEndpoint[] = [
  pagedEndpoint({
    ...common,
    operationId: 'getConversations',
    summary: 'The conversations of the user with their newest events, the last changed one first',
    path: '/_pipit/conversations',
    rateLimits: perQuarterHour({ user: 300 }),
    params: dmEventFieldParams,
    page: { min: 1, max: 100, default: 50 },
    component: 'DmConversation',
    list: ({ dms }, { principal }, page) => dms.listConversations(principal.userId, page),
    show: ({ views }, call, refs) => views.dmConversations({ refs, ...eventView(call) }),
  }),
  endpoint({
    ...common,
    operationId: 'getDmConversation',
    summary: 'A conversation of the user with its newest event',
    path: '/_pipit/conversations/{dm_conversation_id}',
    rateLimits: perQuarterHour({ user: 300 }),
    params: { ...conversationParams, ...dmEventFieldParams },
    response: singleSchema('DmConversation'),
    handler: async ({ dms, views }, call) => {
      const ref = await dms.getConversation(call.principal, call.params.dm_conversation_id);
      return onlyOne(await views.dmConversations({ refs: [ref], ...eventView(call) }));
    },
  }),
  endpoint({
    ...common,
    operationId: 'readConversation',
    summary: 'Marks a conversation as read up to an event',
    method: 'POST',
    path: '/_pipit/conversations/{dm_conversation_id}/read',
    rateLimits: perQuarterHour({ user: 900 }),
    params: conversationParams,
    body: jsonBody(
      v.object({ up_to_event_id: v.required(idField<DmEventId>('The last event that the user has read.')) }),
    ),
    response: dataSchema({ unread_count: count }),
    handler: async ({ dms }, { principal, params, body }) => ({
      data: { unread_count: await dms.read(principal, params.dm_conversation_id, body.up_to_event_id) },
    }),
  }),
];
