import { html } from '../../../api/reference/html.js';
import { invalidRequest } from '../../../core/errors.js';
import { MAX_GROUP_PARTICIPANTS } from '../../../core/limits.js';
import { USERNAME_PATTERN } from '../../../core/user.js';
import type { Answer } from '../../../http/answer.js';
import type { WireUser } from '../../api/objects.js';
import type { WebApi } from '../../api/web-api.js';
import { textField } from '../../fields.js';
import { openPage, partAnswer } from '../../part-answer.js';
import type { SignedInVisit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { pairOf } from './conversation-list.js';
import { sendMessage, showConversation } from './conversation.js';
import { messageForm, sendWritten, wantsForm, type MessageBody, type MessageForm } from './message-form.js';
import { conversationEnd, MESSAGES_PATH, NEW_MESSAGE_PATH } from './message-paths.js';

/** `/messages/new`: writes to a person, or starts a group of several. */
export const newMessageRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser(NEW_MESSAGE_PATH, (visit) => showNew(visit, context, visit.query.get('people') ?? '')),
  pages.acceptFilesFromUser(NEW_MESSAGE_PATH, (visit) => {
    const people = visit.form.get('people') ?? '';
    return sendWritten(visit, context, {
      send: async (message, begun) =>
        begun === undefined ? start(visit, people, message) : sendMessage(visit, begun, message),
      showForm: (form) =>
        form.begun === undefined
          ? showNew(visit, context, people, form)
          : showConversation(visit, context, form.begun, form),
      finish: (id) => (wantsForm(visit) ? openPage(conversationEnd(id)) : visit.goTo(conversationEnd(id))),
    });
  }),
];

/** Sends the first message to the people that a form names, and returns its conversation. */
async function start(visit: SignedInVisit, people: string, message: MessageBody): Promise<string> {
  const ids = await idsOf(visit.api, people);
  const [first] = ids;
  if (first !== undefined && ids.length === 1)
    return sendMessage(visit, pairOf(String(visit.viewer.user.id), first), message);
  const { data } = await visit.api.call<{ dm_conversation_id: string }>('dmConversationIdCreate', {
    conversation_type: 'Group',
    participant_ids: ids,
    message,
  });
  return data?.dm_conversation_id ?? '';
}

/** Returns the ids of the users that a form names. Throws 'invalid-request' for names that are nobody's. */
async function idsOf(api: WebApi, people: string): Promise<string[]> {
  const names = people.split(/[\s,]+/).map((name) => name.replace(/^@/, '').toLowerCase());
  const usernames = [...new Set(names.filter((name) => name !== ''))];
  if (usernames.length === 0) throw refusal('Name at least one person.');
  if (usernames.length > MAX_GROUP_PARTICIPANTS)
    throw refusal(`A group has at most ${MAX_GROUP_PARTICIPANTS} people, with you.`);
  const wellFormed = usernames.filter((name) => USERNAME_PATTERN.test(name));
  const found = wellFormed.length === 0 ? [] : await usersOf(api, wellFormed);
  const ids = new Map(found.map(({ username, id }) => [username.toLowerCase(), id]));
  const unknown = usernames.filter((name) => !ids.has(name));
  if (unknown.length > 0)
    throw refusal(`There is nobody named ${unknown.map((name) => `@${name}`).join(', ')}.`);
  return [...ids.values()];
}

async function usersOf(api: WebApi, usernames: readonly string[]): Promise<readonly WireUser[]> {
  return (await api.call<WireUser[]>('findUsersByUsername', { usernames })).data ?? [];
}

const refusal = (message: string) => invalidRequest('people', [], message);

async function showNew(
  visit: SignedInVisit,
  context: WebContext,
  people: string,
  form: MessageForm = {},
): Promise<Answer> {
  const fields = textField({
    name: 'people',
    label: 'To',
    value: people,
    hint: 'One username, or several with spaces between them for a group: @maya @omar.',
    required: true,
  });
  const shown = await messageForm(visit, context, { path: NEW_MESSAGE_PATH, form, fields });
  if (wantsForm(visit)) return partAnswer('composer', shown, { status: form.status });
  return visit.show(
    { title: 'New message', status: form.status, wide: 'posts' },
    html`<p><a href="${MESSAGES_PATH}">All messages</a></p>
      <h1>New message</h1>
      ${shown}`,
  );
}
