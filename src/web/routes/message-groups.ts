import { html } from '../../api/reference/html.js';
import { invalidRequest } from '../../core/errors.js';
import { MAX_GROUP_PARTICIPANTS } from '../../core/limits.js';
import { USERNAME_PATTERN } from '../../core/user.js';
import type { Answer } from '../../http/answer.js';
import type { WireUser } from '../api/objects.js';
import type { WebApi } from '../api/web-api.js';
import { textField } from '../fields.js';
import { sendWritten, messageFields, type RefusedMessage } from './message-form.js';
import type { SignedInVisit } from '../visit.js';
import type { CreateRoutes } from '../web-context.js';

/** The path of the form that starts a group. */
export const NEW_GROUP_PATH = '/messages/new';

/** `/messages/new`: starts a group of people with a first message. */
export const messageGroupRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser(NEW_GROUP_PATH, (visit) => showNewGroup(visit)),
  pages.acceptFilesFromUser(NEW_GROUP_PATH, (visit) => {
    const people = visit.form.get('people') ?? '';
    return sendWritten(
      visit,
      context,
      async (message) => {
        const { data } = await visit.api.call<{ dm_conversation_id: string }>('dmConversationIdCreate', {
          conversation_type: 'Group',
          participant_ids: await idsOf(visit.api, people),
          message,
        });
        return data?.dm_conversation_id ?? '';
      },
      async (refused) => showNewGroup(visit, people, refused),
    );
  }),
];

/** Returns the ids of the users that a form names. Throws 'invalid-request' for names that are nobody's. */
async function idsOf(api: WebApi, people: string): Promise<string[]> {
  const names = [...new Set(people.split(/[\s,]+/).map((name) => name.replace(/^@/, '').toLowerCase()))];
  const usernames = names.filter((name) => name !== '');
  if (usernames.length === 0) throw refusal('Name at least one other person.');
  if (usernames.length >= MAX_GROUP_PARTICIPANTS)
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

function showNewGroup(visit: SignedInVisit, people = '', refused?: RefusedMessage): Answer {
  return visit.show(
    { title: 'New group', status: refused?.status, wide: 'posts' },
    html`<p><a href="/messages">All messages</a></p>
      <h1>New group</h1>
      <form method="post" action="${NEW_GROUP_PATH}" enctype="multipart/form-data" class="message-form">
        ${visit.csrfField()} ${refused?.reason}
        ${textField({
          name: 'people',
          label: 'People',
          value: people,
          hint: 'Usernames with spaces between them, such as @maya @omar. You are in the group, too.',
          required: true,
        })}
        ${messageFields(refused)}
      </form>`,
  );
}
