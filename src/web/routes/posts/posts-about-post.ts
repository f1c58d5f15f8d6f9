import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import type { PostCard } from '../../posts/load-cards.js';
import { postPath } from '../../posts/paths.js';
import { shownName } from '../../shown-name.js';
import { tabLinks } from '../../tab-links.js';
import type { Visit } from '../../visit.js';
import type { WebContext } from '../../web-context.js';
import { postList, readPosts, showPage } from './public-pages.js';

/** The lists of posts that belong to a post: their operations and words. */
const LISTS = {
  quotes: { operation: 'findTweetsThatQuoteATweet', title: 'Quotes', none: 'Nobody has quoted this post.' },
  hidden: {
    operation: 'getHiddenReplies',
    title: 'Hidden replies',
    none: 'There are no hidden replies that you may see.',
  },
} as const;

/** The name of a list of posts that belong to a post, as its path has it. */
export type PostsAbout = keyof typeof LISTS;

/** Returns links to what others did with a post, whose path is `base`. */
export function reactionTabs(base: string, current: string): Html {
  const tabs = [
    { path: `${base}/quotes`, label: 'Quotes' },
    { path: `${base}/retweets`, label: 'Reposts' },
    { path: `${base}/likes`, label: 'Likes' },
  ];
  return tabLinks('Reactions', tabs, `${base}/${current}`);
}

/** `/{username}/status/{id}/quotes`, and `hidden`: the replies that the author of the conversation hid. */
export async function showPostsAbout(
  visit: Visit,
  deps: WebContext,
  { post, author }: PostCard,
  list: PostsAbout,
): Promise<Answer> {
  const { operation, title, none } = LISTS[list];
  const { cards, next } = await readPosts(visit, operation, post.id);
  const name = author ? shownName(author) : 'Unknown account';
  const path = `${postPath(post.id, author)}/${list}`;
  return showPage(
    visit,
    { title: `${title} · post by ${name}`, isPublic: false },
    html`<h1>${title}</h1>
      <p class="lead">
        <a href="${postPath(post.id, author)}">Post by <bdi>${name}</bdi></a>
      </p>
      ${list === 'quotes' && reactionTabs(postPath(post.id, author), list)}
      ${postList(visit, deps, { cards, path, next, none, label: title })}`,
  );
}
