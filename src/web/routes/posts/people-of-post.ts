import type { Answer } from '../../../http/answer.js';
import { html } from '../../../api/reference/html.js';
import type { PostCard } from '../../posts/load-cards.js';
import { postPath } from '../../posts/paths.js';
import { listPeople } from '../../posts/user-list.js';
import { shownName } from '../../shown-name.js';
import type { Visit } from '../../visit.js';
import type { WebContext } from '../../web-context.js';
import { reactionTabs } from './posts-about-post.js';
import { showPage } from './public-pages.js';

/** The lists of people who did something with a post: their operations and words. */
const LISTS = {
  likes: {
    operation: 'tweetsIdLikingUsers',
    title: 'Likes',
    none: 'Nobody you can see likes this post.',
  },
  retweets: {
    operation: 'tweetsIdRetweetingUsers',
    title: 'Reposts',
    none: 'Nobody you can see has reposted this post.',
  },
} as const;

/** The name of a list of people as its path has it. */
export type PeopleOfPost = keyof typeof LISTS;

export function isPeopleOfPost(name: string): name is PeopleOfPost {
  return Object.hasOwn(LISTS, name);
}

/** `/{username}/status/{id}/likes` and `/retweets`. People whom the viewer may not see are left out. */
export async function showPeopleOfPost(
  visit: Visit,
  deps: WebContext,
  { post, author }: PostCard,
  list: PeopleOfPost,
): Promise<Answer> {
  const { operation, title, none } = LISTS[list];
  const name = author ? shownName(author) : 'Unknown account';
  const path = postPath(post.id, author);
  return showPage(
    visit,
    { title: `${title} · post by ${name}`, isPublic: false },
    html`<h1>${title}</h1>
      <p class="lead">
        <a href="${path}">Post by <bdi>${name}</bdi></a>
      </p>
      ${reactionTabs(path, list)}
      ${await listPeople(visit, deps, operation, post.id, { path: `${path}/${list}`, label: title, none })}`,
  );
}
