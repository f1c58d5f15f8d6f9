import type { Answer } from '../../http/answer.js';
import { html, type Html } from '../../api/reference/html.js';
import { PipitError } from '../../core/errors.js';
import { unescapeText } from '../../core/post-text/escape.js';
import { USER_SELECTION } from '../api/fields.js';
import type { WireUser } from '../api/objects.js';
import { textArea, type Faults } from '../fields.js';
import { attempt, faultNote, NO_FAULTS, statusOf } from '../forms.js';
import { authorLine, userPicture } from '../posts/author.js';
import { nextPageLink } from '../posts/user-list.js';
import { shownName } from '../shown-name.js';
import { timeText } from '../times.js';
import type { SignedInVisit } from '../visit.js';
import type { CreateRoutes, WebContext } from '../web-context.js';
import { showPage } from './posts/public-pages.js';

interface WireEvent {
  readonly id: string;
  readonly event_type: string;
  readonly text?: string;
  readonly sender_id?: string;
  readonly created_at?: string;
}

interface WireConversation {
  readonly id: string;
  readonly name?: string;
  readonly participant_ids: readonly string[];
  readonly last_event: WireEvent;
  readonly unread_count: number;
}

const EVENT_FIELDS = ['created_at', 'event_type', 'sender_id', 'text'];
const EVENTS_PER_PAGE = 50;

/** `/messages`: conversations; `/messages/{conversation}`: one of them; `/messages/to/{username}` leads to the one with a user. */
export const messageRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser('/messages', (visit) => showConversations(visit, context)),
  pages.showToUser('/messages/to/{username}', async (visit) => {
    const username = visit.request.path['username'] ?? '';
    const { data } = await visit.api.call<WireUser>('findUserByUsername', { username });
    if (!data) throw new PipitError({ code: 'route-not-found' });
    return visit.goTo(`/messages/${pairOf(String(visit.viewer.user.id), data.id)}`);
  }),
  pages.showToUser('/messages/{conversation}', (visit) => showConversation(visit, context)),
  pages.acceptFromUser('/messages/{conversation}', (visit) => {
    const { conversation = '' } = visit.request.path;
    return attempt(
      () => sendMessage(visit, conversation, visit.form.get('text') ?? ''),
      (faults) => showConversation(visit, context, faults, visit.form.get('text') ?? ''),
      () => visit.goTo(`/messages/${encodeURIComponent(conversation)}`),
    );
  }),
];

/** Returns the id of the conversation of two users: the smaller id comes first. */
function pairOf(one: string, other: string): string {
  return BigInt(one) < BigInt(other) ? `${one}-${other}` : `${other}-${one}`;
}

/** Returns the other user of a conversation of two; undefined for a group. */
function otherOf(conversation: string, ownId: string): string | undefined {
  const pair = /^([0-9]{1,19})-([0-9]{1,19})$/.exec(conversation);
  return pair?.slice(1).find((id) => id !== ownId);
}

async function sendMessage(
  { api, viewer }: SignedInVisit,
  conversation: string,
  sent: string,
): Promise<void> {
  const text = sent.replaceAll('\r\n', '\n');
  const other = otherOf(conversation, String(viewer.user.id));
  if (other === undefined)
    await api.call('dmConversationByIdEventIdCreate', { dm_conversation_id: conversation, text });
  else await api.call('dmConversationWithUserEventIdCreate', { participant_id: other, text });
}

async function showConversations(visit: SignedInVisit, { publicUrl, clock }: WebContext): Promise<Answer> {
  const found = await visit.api.call<WireConversation[]>('getConversations', {
    max_results: 50,
    pagination_token: visit.query.get('page') ?? undefined,
    'dm_event.fields': EVENT_FIELDS,
    expansions: ['participant_ids'],
    ...USER_FIELDS,
  });
  const users = new Map((found.includes?.users ?? []).map((user) => [user.id, user]));
  const ownId = String(visit.viewer.user.id);
  const entries = (found.data ?? []).map((each) => {
    const others = each.participant_ids.filter((id) => id !== ownId).flatMap((id) => users.get(id) ?? []);
    return conversationEntry(each, others, { publicUrl, nowMs: clock() });
  });
  return showPage(
    visit,
    { title: 'Messages', head: html``, isPublic: false },
    html`<h1>Messages</h1>
      <div class="timeline">${entries}</div>
      ${entries.length === 0 && html`<p class="absent">No messages yet. A profile has a button to write to its user.</p>`}
      ${nextPageLink('/messages', found.meta?.next_token, 'Older conversations')}`,
  );
}

const USER_FIELDS = { 'user.fields': USER_SELECTION['user.fields'] };

function conversationEntry(
  { id, name, last_event: last, unread_count: unread }: WireConversation,
  others: readonly WireUser[],
  { publicUrl, nowMs }: { readonly publicUrl: string; readonly nowMs: number },
): Html {
  const [first] = others;
  const title = name ?? (others.map(shownName).join(', ') || 'Deleted account');
  return html`<article class="post notice ${unread > 0 ? 'unread' : ''}">
    <div class="head">
      ${first && userPicture(first, '_bigger', publicUrl)}
      <div>
        <a class="author" href="/messages/${encodeURIComponent(id)}"><bdi class="name">${title}</bdi></a>
        ${last.created_at !== undefined && html`<span class="time">${timeText(Date.parse(last.created_at), nowMs)}</span>`}
        ${unread > 0 && html`<span class="badge-count">${unread}<span class="hidden"> unread</span></span>`}
      </div>
    </div>
    <p class="excerpt" dir="auto">${eventText(last)}</p>
  </article>`;
}

const EVENT_WORDS: Readonly<Record<string, string>> = {
  ParticipantsJoin: 'People joined.',
  ParticipantsLeave: 'People left.',
};

function eventText({ event_type: type, text }: WireEvent): string {
  return EVENT_WORDS[type] ?? unescapeText(text ?? '');
}

async function showConversation(
  visit: SignedInVisit,
  context: WebContext,
  faults: Faults = NO_FAULTS,
  text = '',
): Promise<Answer> {
  const { conversation = '' } = visit.request.path;
  const ownId = String(visit.viewer.user.id);
  const found = await visit.api.call<WireEvent[]>('getDmConversationsIdDmEvents', {
    dm_conversation_id: conversation,
    max_results: EVENTS_PER_PAGE,
    pagination_token: visit.query.get('page') ?? undefined,
    'dm_event.fields': EVENT_FIELDS,
    expansions: ['sender_id'],
    ...USER_FIELDS,
  });
  const events = found.data ?? [];
  const [newest] = events;
  const isFirst = !visit.query.has('page');
  if (newest && isFirst && visit.request.method === 'GET')
    await visit.api.call('readConversation', { dm_conversation_id: conversation, up_to_event_id: newest.id });
  const users = new Map((found.includes?.users ?? []).map((user) => [user.id, user]));
  const other = await findOther(visit, otherOf(conversation, ownId));
  const path = `/messages/${encodeURIComponent(conversation)}`;
  const title = other ? `Messages with ${shownName(other)}` : 'Group messages';
  return visit.show(
    { title, status: statusOf(faults), wide: 'posts' },
    html`<p><a href="/messages">All messages</a></p>
      <h1>${title}</h1>
      ${nextPageLink(path, found.meta?.next_token, 'Older messages')}
      <ol class="messages">
        ${events.toReversed().map((event) => message(event, users.get(event.sender_id ?? ''), ownId, context.clock()))}
      </ol>
      <form method="post" action="${path}" class="composer short">
        ${visit.csrfField()} ${faultNote(faults)}
        ${textArea({ name: 'text', label: 'Your message', value: text, fault: [...faults.values()][0] })}
        <p class="send"><button>Send</button></p>
      </form>`,
  );
}

async function findOther({ api }: SignedInVisit, id: string | undefined): Promise<WireUser | undefined> {
  if (id === undefined) return undefined;
  return (await api.call<WireUser>('findUserById', { id })).data;
}

function message(event: WireEvent, sender: WireUser | undefined, ownId: string, nowMs: number): Html {
  const isOwn = event.sender_id === ownId;
  return html`<li class="${isOwn ? 'own' : ''}">
    ${!isOwn && authorLine(sender)}
    <div class="text" dir="auto">${eventText(event)}</div>
    ${event.created_at !== undefined && html`<span class="time">${timeText(Date.parse(event.created_at), nowMs)}</span>`}
  </li>`;
}
