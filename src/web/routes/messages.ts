import type { Answer } from '../../http/answer.js';
import { html, type Html } from '../../api/reference/html.js';
import { PipitError } from '../../core/errors.js';
import { unescapeText } from '../../core/post-text/escape.js';
import { POST_SELECTION } from '../api/fields.js';
import type { WireIncludes, WireUser } from '../api/objects.js';
import { authorLine, userPicture } from '../posts/author.js';
import { mediaFile } from '../posts/media-file.js';
import { nextPageLink } from '../posts/user-list.js';
import { timeText } from '../times.js';
import type { SignedInVisit } from '../visit.js';
import type { CreateRoutes, WebContext } from '../web-context.js';
import {
  conversationPath,
  messageFields,
  sendWritten,
  type MessageBody,
  type RefusedMessage,
} from './message-form.js';
import { NEW_GROUP_PATH } from './message-groups.js';
import { otherOf, participants, titleOf, USER_FIELDS, type WireConversation } from './message-people.js';
import { showPage } from './posts/public-pages.js';

interface WireEvent {
  readonly id: string;
  readonly event_type: string;
  readonly text?: string;
  readonly sender_id?: string;
  readonly created_at?: string;
  readonly attachments?: { readonly media_keys?: readonly string[] };
}

interface ListedConversation extends WireConversation {
  readonly last_event: WireEvent;
  readonly unread_count: number;
}

const EVENT_FIELDS = ['attachments', 'created_at', 'event_type', 'sender_id', 'text'];
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
  pages.acceptFilesFromUser('/messages/{conversation}', (visit) =>
    sendWritten(
      visit,
      context,
      (message) => sendMessage(visit, visit.request.path['conversation'] ?? '', message),
      (refused) => showConversation(visit, context, refused),
    ),
  ),
];

/** Returns the id of the conversation of two users: the smaller id comes first. */
function pairOf(one: string, other: string): string {
  return BigInt(one) < BigInt(other) ? `${one}-${other}` : `${other}-${one}`;
}

/** Sends a message and returns the id of its conversation. */
async function sendMessage(
  { api, viewer }: SignedInVisit,
  conversation: string,
  message: MessageBody,
): Promise<string> {
  const other = otherOf(conversation, String(viewer.user.id));
  if (other === undefined)
    await api.call('dmConversationByIdEventIdCreate', { dm_conversation_id: conversation, ...message });
  else await api.call('dmConversationWithUserEventIdCreate', { participant_id: other, ...message });
  return conversation;
}

async function showConversations(visit: SignedInVisit, { publicUrl, clock }: WebContext): Promise<Answer> {
  const found = await visit.api.call<ListedConversation[]>('getConversations', {
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
      <p><a class="button plain small" href="${NEW_GROUP_PATH}">New group</a></p>
      <div class="timeline">${entries}</div>
      ${entries.length === 0 && html`<p class="absent">No messages yet. A profile has a button to write to its user.</p>`}
      ${nextPageLink('/messages', found.meta?.next_token, 'Older conversations')}`,
  );
}

function conversationEntry(
  { id, name, last_event: last, unread_count: unread }: ListedConversation,
  others: readonly WireUser[],
  { publicUrl, nowMs }: { readonly publicUrl: string; readonly nowMs: number },
): Html {
  const [first] = others;
  const title = titleOf(name, others);
  return html`<article class="post notice ${unread > 0 ? 'unread' : ''}">
    <div class="head">
      ${first && userPicture(first, '_bigger', publicUrl)}
      <div>
        <a class="author" href="${conversationPath(id)}"><bdi class="name">${title}</bdi></a>
        ${last.created_at !== undefined && html`<span class="time">${timeText(Date.parse(last.created_at), nowMs)}</span>`}
        ${unread > 0 && html`<span class="badge-count">${unread}<span class="hidden"> unread</span></span>`}
      </div>
    </div>
    <p class="excerpt" dir="auto">${eventText(last) || 'A picture or a video'}</p>
  </article>`;
}

const EVENT_WORDS: Readonly<Record<string, string>> = {
  ParticipantsJoin: 'People joined.',
  ParticipantsLeave: 'People left.',
};

function eventText({ event_type: type, text = '', attachments }: WireEvent): string {
  // The last word of a message with a file is a link to it (docs/api/messages.md#events).
  const typed = attachments ? text.slice(0, Math.max(0, text.lastIndexOf(' '))) : text;
  return EVENT_WORDS[type] ?? unescapeText(typed);
}

async function showConversation(
  visit: SignedInVisit,
  context: WebContext,
  refused?: RefusedMessage,
): Promise<Answer> {
  const { conversation = '' } = visit.request.path;
  const found = await visit.api.call<WireEvent[]>('getDmConversationsIdDmEvents', {
    dm_conversation_id: conversation,
    max_results: EVENTS_PER_PAGE,
    pagination_token: visit.query.get('page') ?? undefined,
    'dm_event.fields': EVENT_FIELDS,
    'media.fields': POST_SELECTION['media.fields'],
    expansions: ['attachments.media_keys', 'sender_id'],
    ...USER_FIELDS,
  });
  const events = found.data ?? [];
  const [newest] = events;
  const isFirst = !visit.query.has('page');
  if (newest && isFirst && visit.request.method === 'GET')
    await visit.api.call('readConversation', { dm_conversation_id: conversation, up_to_event_id: newest.id });
  const path = conversationPath(conversation);
  const { title, people } = await participants(visit, context, conversation);
  return visit.show(
    { title, status: refused?.status, wide: 'posts' },
    html`<p><a href="/messages">All messages</a></p>
      <h1 dir="auto">${title}</h1>
      ${people} ${nextPageLink(path, found.meta?.next_token, 'Older messages')}
      <ol class="messages">
        ${events.toReversed().map((event) => message(event, found.includes ?? {}, visit, context))}
      </ol>
      <form method="post" action="${path}" enctype="multipart/form-data" class="message-form">
        ${visit.csrfField()} ${refused?.reason} ${messageFields(refused)}
      </form>`,
  );
}

function message(
  event: WireEvent,
  { users = [], media = [] }: WireIncludes,
  { viewer }: SignedInVisit,
  { clock, publicUrl }: WebContext,
): Html {
  const isOwn = event.sender_id === String(viewer.user.id);
  const sender = users.find((user) => user.id === event.sender_id);
  const keys = event.attachments?.media_keys ?? [];
  const files = media.filter((each) => keys.includes(each.media_key));
  const text = eventText(event);
  return html`<li class="${isOwn ? 'own' : ''}">
    ${!isOwn && authorLine(sender)} ${text !== '' && html`<div class="text" dir="auto">${text}</div>`}
    ${files.map((file) => html`<div class="media">${mediaFile(file, publicUrl)}</div>`)}
    ${event.created_at !== undefined && html`<span class="time">${timeText(Date.parse(event.created_at), clock())}</span>`}
  </li>`;
}
