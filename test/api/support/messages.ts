import type { TestAnswer } from '../../support/app.js';
import { ID, type Name, type Network } from './network.js';

/** Requests about direct messages. */

/** An event in a response. */
export interface WireEvent {
  readonly id: string;
  readonly event_type: string;
  readonly text?: string;
  readonly sender_id?: string;
  readonly participant_ids?: readonly string[];
  readonly dm_conversation_id?: string;
}

/** Sends a message to a user. */
export function write({ as }: Network, from: Name, to: Name, text: string): Promise<TestAnswer> {
  return as(from).post(`/2/dm_conversations/with/${ID[to]}/messages`, { text });
}

/** Sends a message to a conversation. */
export function say({ as }: Network, from: Name, conversationId: string, text: string): Promise<TestAnswer> {
  return as(from).post(`/2/dm_conversations/${conversationId}/messages`, { text });
}

/** Returns the id of the sent message; throws if it was refused. */
export function sentId({ status, body }: TestAnswer): string {
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data.dm_event_id as string;
}

/** Creates a group with a first message and returns its id. */
export async function createGroup(
  { as }: Network,
  from: Name,
  others: readonly Name[],
  text = 'Hello all',
): Promise<string> {
  const answer = await as(from).post('/2/dm_conversations', {
    participant_ids: others.map((name) => ID[name]),
    text,
  });
  sentId(answer);
  return answer.body.data.dm_conversation_id as string;
}

/** Returns the events of a list with all their fields. */
export async function eventsAt({ as }: Network, name: Name, path: string): Promise<WireEvent[]> {
  const separator = path.includes('?') ? '&' : '?';
  const { status, body } = await as(name).get(`${path}${separator}dm_event.fields=${EVENT_FIELDS}`);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return (body.data ?? []) as WireEvent[];
}

const EVENT_FIELDS =
  'attachments,created_at,dm_conversation_id,entities,participant_ids,referenced_tweets,sender_id';

export const INBOX = '/2/dm_events';

export function withPath(name: Name): string {
  return `/2/dm_conversations/with/${ID[name]}/dm_events`;
}

export function conversationPath(conversationId: string): string {
  return `/2/dm_conversations/${conversationId}/dm_events`;
}

export function textsOf(events: readonly WireEvent[]): (string | undefined)[] {
  return events.map(({ text }) => text);
}
