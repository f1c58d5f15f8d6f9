import { html, type Html } from '../../api/reference/html.js';
import { plainLine } from '../../core/plain-line.js';
import { unescapeText } from '../../core/post-text/escape.js';
import type { WireMedia, WirePoll, WirePost, WireUrl } from '../api/objects.js';
import { numberText } from '../numbers.js';
import { momentText, timeText } from '../times.js';
import { shownName } from '../shown-name.js';
import { authorLine, userPicture } from './author.js';
import type { PostCard } from './load-cards.js';
import { framedMedia } from './media-file.js';
import { postPath, profilePath } from './paths.js';
import { ACTION_FORM, actionBar, actionPath, countsLine } from './post-actions.js';
import { whoMayReply } from './who-may-reply.js';
import { spaceCard } from './space-card.js';
import { richText, type RichText } from './rich-text.js';

/** Data that all cards of a page share. */
export interface CardContext {
  readonly publicUrl: string;
  readonly nowMs: number;
  /** False for visitors, and where a post is shown without actions. */
  readonly isSignedIn: boolean;
  readonly viewerId?: string;
}

/** How a card appears on its page. */
export interface CardPlace {
  /** True for the post that the page is about. */
  readonly isMain?: boolean;
  /** A line above the post. */
  readonly note?: Html;
}

/** Returns a post as a card: author, time, text, attachments, counts, and what the viewer may do with it. */
export function postCard(
  card: PostCard,
  context: CardContext,
  { isMain = false, note }: CardPlace = {},
): Html {
  const { post, author, repostedBy } = card;
  return html`<article class="post ${isMain ? 'main' : ''}" id="post-${post.id}" data-id="${post.id}">
    ${
      repostedBy &&
      html`<p class="above">
        <a href="${profilePath(repostedBy)}"><bdi>${shownName(repostedBy)}</bdi></a> reposted
      </p>`
    }
    ${note && html`<p class="above">${note}</p>`}
    <div class="head">
      ${author && userPicture(author, '_bigger', context.publicUrl)}
      <div>${authorLine(author)} ${timeLink(card, context, isMain)}</div>
    </div>
    ${repliedTo(card)} ${body(card, context, isMain)} ${isMain && whoMayReply(card)}
    ${isMain && countsLine(card)} ${context.isSignedIn ? actionBar(card) : !isMain && countsLine(card)}
  </article>`;
}

function timeLink({ post, author }: PostCard, { nowMs }: CardContext, isMain: boolean): Html | undefined {
  if (post.created_at === undefined) return undefined;
  const timeMs = Date.parse(post.created_at);
  const text = isMain ? momentText(timeMs) : timeText(timeMs, nowMs);
  const path = postPath(post.id, author);
  const isEdited = (post.edit_history_tweet_ids?.length ?? 1) > 1;
  return html`<a class="time" href="${path}">${text}</a>
    ${isEdited && html`<span class="time">·</span> <a class="time" href="${path}/history">edited</a>`}`;
}

/** Returns whom the post replies to, unless its text begins with that. */
function repliedTo({ repliesTo, post }: PostCard): Html | undefined {
  if (!repliesTo || post.referenced_tweets?.some(({ type }) => type === 'replied_to') !== true)
    return undefined;
  const [start = ''] = post.text.split(/\s/, 1);
  if (start.toLowerCase() === `@${repliesTo.username.toLowerCase()}`) return undefined;
  return html`<p class="replying">
    Replying to <a href="${profilePath(repliesTo)}" dir="ltr">@${repliesTo.username}</a>
  </p>`;
}

/** Returns the post's text with its entities. Links that attachments already show are hidden. */
export function textOfPost({ post, mentioned, quoted }: PostCard, isWhole = false): RichText {
  const { text, entities } = (isWhole ? post.note_tweet : undefined) ?? post;
  const quotedId = post.referenced_tweets?.find(({ type }) => type === 'quoted')?.id;
  const isQuoted = ({ expanded_url: expanded, url }: WireUrl): boolean =>
    quoted !== undefined && (expanded ?? url).endsWith(`/status/${quotedId}`);
  return {
    wireText: text,
    entities,
    mentioned,
    isShown: (url) => url.media_key !== undefined || isQuoted(url),
  };
}

function body(card: PostCard, context: CardContext, isMain = false): Html {
  const { post, poll, place, quoted } = card;
  return html`${writtenText(richText(textOfPost(card, isMain)), languageOf(post.lang))}
  ${!isMain && (post.note_tweet ?? post.article) && longLink(card)}
  ${isMain && post.article?.plain_text !== undefined && writtenText(html`${unescapeText(post.article.plain_text)}`)}
  ${disclosures(post)} ${attachedMedia(card, context)} ${poll && pollOf(card, poll, context)}
  ${linkedSpace(card, context)}
  ${quoted === 'unavailable' && html`<p class="absent">The quoted post is not available.</p>`}
  ${quoted !== undefined && quoted !== 'unavailable' && quotedCard(quoted, context)}
  ${place && html`<p class="place">Place: <bdi>${plainLine(place.full_name)}</bdi></p>`}`;
}

/** Returns the Space of this server that the post links to. */
function linkedSpace({ space: linked }: PostCard, { publicUrl }: CardContext): Html | undefined {
  return linked?.url.startsWith(`${publicUrl}/`) === true
    ? spaceCard(linked.space, linked.creator)
    : undefined;
}

/** Returns what the author discloses about the post. */
function disclosures({ paid_partnership: isPaid }: WirePost): Html | undefined {
  return isPaid === true ? html`<p class="hint">Paid partnership</p>` : undefined;
}

function longLink({ post, author }: PostCard): Html {
  return html`<p><a href="${postPath(post.id, author)}">Show all</a></p>`;
}

/** Whitespace is significant here, so the template adds none around the text. */
export function writtenText(text: Html, lang = ''): Html {
  const language = lang !== '' && html`lang="${lang}"`;
  return html`<div class="text" dir="auto" ${language}>${text}</div>`;
}

function quotedCard(card: PostCard, context: CardContext): Html {
  return html`<div class="quoted">
    <p class="quoted-head">${authorLine(card.author)} ${timeLink(card, context, false)}</p>
    ${body(card, context)}
  </div>`;
}

/** Returns up to four media side by side, linked to their own pages. Sensitive media are collapsed. */
function attachedMedia({ post, author, media }: PostCard, context: CardContext): Html | undefined {
  if (media.length === 0) return undefined;
  const base = postPath(post.id, author);
  const shown = html`<div class="attached ${media.length > 1 ? 'several' : ''}">
    ${media.map((each, index) => framedMedia(each, `${base}/${linkKind(each)}/${index + 1}`, context.publicUrl))}
  </div>`;
  if (post.possibly_sensitive !== true) return shown;
  return html`<details class="sensitive">
    <summary>Media that may be sensitive</summary>
    ${shown}
  </details>`;
}

/** Returns the path segment before the number of a media file. */
export function linkKind({ type }: WireMedia): 'photo' | 'video' {
  return type === 'photo' ? 'photo' : 'video';
}

/** Returns a BCP 47 tag; empty for codes that name no language, such as `und` and `qme`. */
function languageOf(lang = ''): string {
  return /^(?:und|zxx|art|q[a-z]{2})$/.test(lang) || !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(lang)
    ? ''
    : lang;
}

/** Returns the poll of a post: its options to vote for, or its results when the viewer has voted or cannot vote. */
function pollOf(card: PostCard, poll: WirePoll, { isSignedIn, viewerId, nowMs }: CardContext): Html {
  const { post, state } = card;
  const isOpen = poll.end_datetime !== undefined && Date.parse(poll.end_datetime) > nowMs;
  const mayVote = isSignedIn && isOpen && post.author_id !== viewerId && state !== undefined;
  if (!mayVote || state.chosen_option !== undefined) return pollResults(poll, nowMs, state?.chosen_option);
  return html`<div class="poll vote" role="group" aria-label="Poll">
    ${poll.options.map(
      ({ label, position }) =>
        html`<button
          class="plain"
          form="${ACTION_FORM}"
          formaction="${actionPath(post.id, 'vote')}"
          name="option"
          value="${position}"
        >
          <span dir="auto">${label}</span>
        </button>`,
    )}
    <p class="hint">${ending(poll, nowMs)}</p>
  </div>`;
}

/** Returns the results of a poll. */
function pollResults(poll: WirePoll, nowMs: number, chosen?: number): Html {
  const total = poll.options.reduce((sum, { votes }) => sum + votes, 0);
  return html`<div class="poll">
    ${poll.options.map(
      ({ label, votes, position }) =>
        html`<div class="option">
          <span dir="auto">${label}${position === chosen && html` <span class="mark">Your vote</span>`}</span>
          <span class="share">${share(votes, total)}</span>
          <progress value="${votes}" max="${Math.max(total, 1)}" aria-label="${label}"></progress>
        </div>`,
    )}
    <p class="hint">${total === 1 ? '1 vote' : `${numberText(total)} votes`} · ${ending(poll, nowMs)}</p>
  </div>`;
}

function share(votes: number, total: number): string {
  return `${total === 0 ? 0 : Math.round((100 * votes) / total)}%`;
}

function ending({ end_datetime: end, voting_status: status }: WirePoll, nowMs: number): Html | string {
  if (end === undefined) return status === 'open' ? 'open' : 'final results';
  const endsAtMs = Date.parse(end);
  return endsAtMs <= nowMs ? 'final results' : html`open until ${momentText(endsAtMs)}`;
}
