import { html, type Html } from '../../../api/reference/html.js';
import type { Answer } from '../../../http/answer.js';
import { partAnswer } from '../../part-answer.js';
import { nextPageLink } from '../../posts/user-list.js';
import type { SignedInVisit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { EVENT_SELECTION, eventList, type WireEvent } from './message-events.js';
import { messageForm, sendWritten, wantsForm, type MessageBody, type MessageForm } from './message-form.js';
import { conversationEnd, conversationPath, MESSAGES_PATH } from './message-paths.js';
import { findParticipants, otherOf } from './message-people.js';

const EVENTS_PER_PAGE = 50;

/** `/messages/{conversation}`: a conversation with its form; `?page=` leads to its older messages. */
export const conversationRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser(`${MESSAGES_PATH}/{conversation}`, (visit) =>
    showConversation(visit, context, idIn(visit)),
  ),
  pages.acceptFilesFromUser(`${MESSAGES_PATH}/{conversation}`, (visit) =>
    sendWritten(visit, context, {
      send: (message) => sendMessage(visit, idIn(visit), message),
      showForm: (form) => showConversation(visit, context, idIn(visit), form),
      finish: (id) =>
        wantsForm(visit) ? answerForm(visit, context, id, {}) : visit.goTo(conversationEnd(id)),
    }),
  ),
];

const idIn = ({ request }: SignedInVisit): string => request.path['conversation'] ?? '';

/** Sends a message and returns the id of its conversation. */
export async function sendMessage(
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

/** Answers with the form alone, as the script asks for it. */
async function answerForm(
  visit: SignedInVisit,
  context: WebContext,
  id: string,
  form: MessageForm,
): Promise<Answer> {
  const shown = await messageForm(visit, context, { path: conversationPath(id), form });
  return partAnswer('composer', shown, { status: form.status });
}

/** Shows a conversation, and what was not sent to it. A conversation that is opened is read. */
export async function showConversation(
  visit: SignedInVisit,
  context: WebContext,
  id: string,
  form: MessageForm = {},
): Promise<Answer> {
  if (wantsForm(visit)) return answerForm(visit, context, id, form);
  const page = visit.query.get('page') ?? undefined;
  const {
    data: events = [],
    includes = {},
    meta,
  } = await visit.api.call<WireEvent[]>('getDmConversationsIdDmEvents', {
    dm_conversation_id: id,
    max_results: EVENTS_PER_PAGE,
    pagination_token: page,
    ...EVENT_SELECTION,
  });
  const [newest] = events;
  if (newest && page === undefined && visit.request.method === 'GET')
    await visit.api.call('readConversation', { dm_conversation_id: id, up_to_event_id: newest.id });
  const { title, heading, people } = await findParticipants(visit, context, id);
  const list = eventList(events.toReversed(), {
    includes,
    ownId: String(visit.viewer.user.id),
    publicUrl: context.publicUrl,
    nowMs: context.clock(),
    conversation: id,
  });
  const isNewest = page === undefined;
  return visit.show(
    { title, status: form.status, wide: 'posts' },
    html`<p><a href="${MESSAGES_PATH}">All messages</a></p>
      <h1 dir="auto">${heading}</h1>
      ${people} ${nextPageLink(conversationPath(id), meta?.next_token, 'Older messages')}
      ${isNewest ? html`<div data-live="messages" role="log">${list} ${events.length === 0 && NOTHING_YET}</div>` : list}
      ${isNewest ? await messageForm(visit, context, { path: conversationPath(id), form }) : toNewest(id)}`,
  );
}

const NOTHING_YET = html`<p class="absent">Nothing is written here yet.</p>`;

function toNewest(id: string): Html {
  return html`<p><a class="button plain" href="${conversationEnd(id)}">Newest messages</a></p>`;
}
