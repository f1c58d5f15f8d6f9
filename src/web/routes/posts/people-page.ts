import type { Answer } from '../../../http/answer.js';
import { html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import type { WireUser } from '../../api/objects.js';
import { profilePath } from '../../posts/paths.js';
import { listPeople } from '../../posts/user-list.js';
import { shownName } from '../../shown-name.js';
import type { Visit } from '../../visit.js';
import type { WebContext } from '../../web-context.js';
import { showPage } from './public-pages.js';

/** The lists of people of a profile: their operations and words. */
const LISTS = {
  followers: {
    operation: 'usersIdFollowers',
    title: 'Followers of',
    none: 'Nobody follows this account yet.',
  },
  following: {
    operation: 'usersIdFollowing',
    title: 'Followed by',
    none: 'This account follows nobody yet.',
  },
} as const;

/** `/{username}/followers` and `/{username}/following`. */
export async function showPeople(visit: Visit, deps: WebContext, list: keyof typeof LISTS): Promise<Answer> {
  const username = visit.request.path['username'] ?? '';
  const { data: user } = await visit.api.call<WireUser>('findUserByUsername', { username });
  if (!user) throw new PipitError({ code: 'route-not-found' });
  const { operation, title, none } = LISTS[list];
  const label = `${title} ${shownName(user)}`;
  const heading = html`${title} <a href="${profilePath(user)}"><bdi>${shownName(user)}</bdi></a>`;
  return showPage(
    visit,
    { title: label, isPublic: false },
    html`<h1>${heading}</h1>
      ${await listPeople(visit, deps, operation, user.id, { path: `${profilePath(user)}/${list}`, label, none })}`,
  );
}
