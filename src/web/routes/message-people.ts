import { html, type Html } from '../../api/reference/html.js';
import { USER_SELECTION } from '../api/fields.js';
import { ifPossible } from '../api/if-possible.js';
import type { WireUser } from '../api/objects.js';
import type { WebApi } from '../api/web-api.js';
import { userList } from '../posts/user-list.js';
import { shownName } from '../shown-name.js';
import type { SignedInVisit } from '../visit.js';
import type { WebContext } from '../web-context.js';

/** A conversation as the API returns it (docs/api/pipit.md#conversations-of-messages). */
export interface WireConversation {
  readonly id: string;
  readonly name?: string;
  readonly participant_ids: readonly string[];
}

/** What pages of messages select of users. */
export const USER_FIELDS = { 'user.fields': USER_SELECTION['user.fields'] };

/** Returns the other user of a conversation of two; undefined for a group. */
export function otherOf(conversation: string, ownId: string): string | undefined {
  const pair = /^([0-9]{1,19})-([0-9]{1,19})$/.exec(conversation);
  return pair?.slice(1).find((id) => id !== ownId);
}

/** Returns the title of a conversation, and the list of the people in a group. */
export async function participants(
  visit: SignedInVisit,
  { publicUrl }: WebContext,
  conversation: string,
): Promise<{ readonly title: string; readonly people?: Html }> {
  const ownId = String(visit.viewer.user.id);
  const id = otherOf(conversation, ownId);
  if (id !== undefined) {
    const { data } = await visit.api.call<WireUser>('findUserById', { id });
    return { title: data ? `Messages with ${shownName(data)}` : 'Messages' };
  }
  const group = await ifPossible(findGroup(visit.api, conversation));
  if (!group) return { title: 'Group messages' };
  const { name, users } = group;
  const others = users.filter((user) => user.id !== ownId);
  const people = html`<details>
    <summary>${users.length === 1 ? '1 person' : `${users.length} people`}</summary>
    ${userList(users, publicUrl, '')}
  </details>`;
  return { title: titleOf(name, others), people };
}

/** The most pages of conversations in which a group is looked for. */
const MAX_PAGES = 5;

/** Returns a group with the users in it; undefined if it is not among the newest conversations. */
async function findGroup(
  api: WebApi,
  id: string,
): Promise<{ readonly name?: string; readonly users: readonly WireUser[] } | undefined> {
  let token: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { data, includes, meta } = await api.call<WireConversation[]>('getConversations', {
      max_results: 100,
      pagination_token: token,
      expansions: ['participant_ids'],
      ...USER_FIELDS,
    });
    const group = data?.find((each) => each.id === id);
    const members = new Set(group?.participant_ids);
    if (group)
      return { name: group.name, users: (includes?.users ?? []).filter((user) => members.has(user.id)) };
    token = meta?.next_token;
    if (token === undefined) return undefined;
  }
  return undefined;
}

/** The most names in the title of a group without a name. */
const MAX_NAMES = 3;

/** Returns the name of a group, or else the names of the others in a conversation. */
export function titleOf(name: string | undefined, others: readonly WireUser[]): string {
  if (name !== undefined) return name;
  if (others.length === 0) return 'Deleted account';
  const names = others.slice(0, MAX_NAMES).map(shownName).join(', ');
  return others.length > MAX_NAMES ? `${names} and ${others.length - MAX_NAMES} more` : names;
}
