import { html, type Html } from '../../api/reference/html.js';
import { compactNumber, numberText } from '../numbers.js';
import { icon, type IconName } from '../icons.js';
import type { PostCard } from './load-cards.js';
import { postPath } from './paths.js';

/** The id of the form that every action of a page submits (`page.ts`). */
export const ACTION_FORM = 'act';

/** Returns the path that an action on a post is sent to. */
export function actionPath(id: string, action: string): string {
  return `/i/posts/${id}/${action}`;
}

/** Returns the buttons under a post. Without script, each sends the page's action form, which leads back. */
export function actionBar({ post, author, state }: PostCard): Html {
  const {
    reply_count: replies = 0,
    retweet_count: reposts = 0,
    like_count: likes = 0,
  } = post.public_metrics ?? {};
  return html`<div class="acts" role="group" aria-label="Actions">
    <a class="act reply" href="${postPath(post.id, author)}#reply" aria-label="Reply, ${replies}"
      >${icon('reply')}${shownCount(replies)}</a
    >
    ${toggle(post.id, 'repost', 'Repost', state?.reposted === true, reposts)}
    ${toggle(post.id, 'like', 'Like', state?.liked === true, likes)}
    ${toggle(post.id, 'bookmark', 'Bookmark', state?.bookmarked === true)}
    <a class="act" href="${actionPath(post.id, 'menu')}" aria-label="More">${icon('more')}</a>
  </div>`;
}

function toggle(id: string, action: IconName, label: string, isOn: boolean, count?: number): Html {
  const counted = count === undefined ? label : `${label}, ${count}`;
  return html`<button
    class="act ${action}"
    form="${ACTION_FORM}"
    formaction="${actionPath(id, action)}"
    name="on"
    value="${isOn ? 'no' : 'yes'}"
    aria-pressed="${isOn ? 'true' : 'false'}"
    aria-label="${counted}"
  >
    ${icon(action)}${count !== undefined && shownCount(count)}
  </button>`;
}

function shownCount(count: number): Html {
  return html`<span class="count">${count === 0 ? '' : compactNumber(count)}</span>`;
}

/** Returns the counts of a post as text, linked to the pages of what they count. */
export function countsLine({ post, author }: PostCard): Html | undefined {
  const { public_metrics: metrics } = post;
  if (metrics === undefined) return undefined;
  const path = postPath(post.id, author);
  const parts = [
    counted(metrics.reply_count, 'reply', 'replies'),
    linkTo(`${path}/retweets`, counted(metrics.retweet_count, 'repost', 'reposts')),
    linkTo(`${path}/quotes`, counted(metrics.quote_count, 'quote', 'quotes')),
    linkTo(`${path}/likes`, counted(metrics.like_count, 'like', 'likes')),
  ].filter((each) => each !== undefined);
  if (parts.length === 0) return undefined;
  return html`<ul class="counts">
    ${parts.map((each) => html`<li>${each}</li>`)}
  </ul>`;
}

function linkTo(path: string, text: Html | undefined): Html | undefined {
  return text && html`<a href="${path}">${text}</a>`;
}

function counted(count: number, one: string, several: string): Html | undefined {
  if (count === 0) return undefined;
  return html`<strong>${numberText(count)}</strong> ${count === 1 ? one : several}`;
}
