import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import type { PostCard } from '../../posts/load-cards.js';
import { postPath } from '../../posts/paths.js';
import { listPeople } from '../../posts/user-list.js';
import { shownName } from '../../shown-name.js';
import { tabLinks } from '../../tab-links.js';
import type { Visit } from '../../visit.js';
import type { WebContext } from '../../web-context.js';
import { postList, readPosts, showPage } from './public-pages.js';

/** The lists of posts and people that belong to a post: their operations and words. */
const LISTS = {
  quotes: {
    operation: 'findTweetsThatQuoteATweet',
    title: 'Quotes',
    none: 'Nobody has quoted this post.',
    items: 'posts',
  },
  hidden: {
    operation: 'getHiddenReplies',
    title: 'Hidden replies',
    none: 'There are no hidden replies that you may see.',
    items: 'posts',
  },
  likes: {
    operation: 'tweetsIdLikingUsers',
    title: 'Likes',
    none: 'Nobody you can see likes this post.',
    items: 'people',
  },
  retweets: {
    operation: 'tweetsIdRetweetingUsers',
    title: 'Reposts',
    none: 'Nobody you can see has reposted this post.',
    items: 'people',
  },
} as const;

/**
 * `/{username}/status/{id}/quotes`, `/likes` and `/retweets`, and `/hidden`: the replies that the author of the
 * conversation hid. Posts and people that the viewer may not see are left out.
 */
export async function showListOfPost(
  visit: Visit,
  deps: WebContext,
  { post, author }: PostCard,
  list: keyof typeof LISTS,
): Promise<Answer> {
  const { operation, title, none, items } = LISTS[list];
  const name = author ? shownName(author) : 'Unknown account';
  const base = postPath(post.id, author);
  const shown = { path: `${base}/${list}`, label: title, none };
  return showPage(
    visit,
    { title: `${title} · post by ${name}`, isPublic: false },
    html`<h1>${title}</h1>
      <p class="lead">
        <a href="${base}">Post by <bdi>${name}</bdi></a>
      </p>
      ${list !== 'hidden' && reactionTabs(base, list)}
      ${
        items === 'people'
          ? await listPeople(visit, deps, operation, post.id, shown)
          : postList(visit, deps, { ...(await readPosts(visit, operation, post.id)), ...shown })
      }`,
  );
}

/** Returns links to what others did with a post, whose path is `base`. */
function reactionTabs(base: string, current: string): Html {
  const tabs = (['quotes', 'retweets', 'likes'] as const).map((list) => ({
    path: `${base}/${list}`,
    label: LISTS[list].title,
  }));
  return tabLinks('Reactions', tabs, `${base}/${current}`);
}
