import { html, type Html } from '../../../api/reference/html.js';
import { ifPossible } from '../../api/if-possible.js';
import type { WireUser } from '../../api/objects.js';
import { userList } from '../../posts/user-list.js';
import { profilePath } from '../../posts/paths.js';
import { userPicture } from '../../posts/author.js';
import { shownName } from '../../shown-name.js';
import type { SignedInVisit } from '../../visit.js';
import type { WebContext } from '../../web-context.js';
import { USER_FIELDS, type WireEvent } from './message-events.js';

/** A conversation as the API returns it (docs/api/pipit.md#conversations-of-messages). */
export interface WireConversation {
  readonly id: string;
  readonly name?: string;
  readonly participant_ids: readonly string[];
  readonly last_event: WireEvent;
  readonly unread_count: number;
}

/** Returns the other user of a conversation of two; undefined for a group. */
export function otherOf(conversation: string, ownId: string): string | undefined {
  const pair = /^([0-9]{1,19})-([0-9]{1,19})$/.exec(conversation);
  if (!pair) return undefined;
  // Somebody may write to themselves.
  return pair.slice(1).find((id) => id !== ownId) ?? ownId;
}

/** Who is in a conversation: its title, and the list of the people in a group. */
export interface Participants {
  readonly title: string;
  /** The heading, which leads to the profile of the other of two. */
  readonly heading: Html;
  readonly people?: Html;
}

/** Returns who is in the conversation of this id. */
export async function findParticipants(
  visit: SignedInVisit,
  { publicUrl }: Pick<WebContext, 'publicUrl'>,
  conversation: string,
): Promise<Participants> {
  const ownId = String(visit.viewer.user.id);
  const id = otherOf(conversation, ownId);
  if (id !== undefined)
    return ofPair((await visit.api.call<WireUser>('findUserById', { id })).data, publicUrl);
  const found = await ifPossible(
    visit.api.call<WireConversation>('getDmConversation', {
      dm_conversation_id: conversation,
      expansions: ['participant_ids'],
      ...USER_FIELDS,
    }),
  );
  const members = new Set(found?.data?.participant_ids);
  const users = (found?.includes?.users ?? []).filter((user) => members.has(user.id));
  if (users.length === 0) return { title: 'Group messages', heading: html`Group messages` };
  const title = titleOf(
    found?.data?.name,
    users.filter((user) => user.id !== ownId),
  );
  return { title, heading: html`${title}`, people: peopleOf(users, publicUrl) };
}

function ofPair(other: WireUser | undefined, publicUrl: string): Participants {
  if (!other) return { title: 'Messages', heading: html`Unavailable account` };
  const name = shownName(other);
  const heading = html`<a class="with" href="${profilePath(other)}"
    >${userPicture(other, '_bigger', publicUrl)} <bdi>${name}</bdi></a
  >`;
  return { title: `Messages with ${name}`, heading };
}

function peopleOf(users: readonly WireUser[], publicUrl: string): Html {
  return html`<details class="people">
    <summary>${users.length === 1 ? '1 person' : `${users.length} people`}</summary>
    ${userList(users, publicUrl, '')}
  </details>`;
}

/** The most names in the title of a group without a name. */
const MAX_NAMES = 3;

/** Returns the name of a group, or else the names of the others in a conversation. */
export function titleOf(name: string | undefined, others: readonly WireUser[]): string {
  if (name !== undefined && name.trim() !== '') return name;
  if (others.length === 0) return 'Unavailable account';
  const names = others.slice(0, MAX_NAMES).map(shownName).join(', ');
  return others.length > MAX_NAMES ? `${names} and ${others.length - MAX_NAMES} more` : names;
}
