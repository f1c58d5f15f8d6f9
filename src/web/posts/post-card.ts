import { html, type Html } from '../../api/reference/html.js';
import type { UrlEntity } from '../../core/entities.js';
import { escapeText } from '../../core/post-text/escape.js';
import { plainLine } from '../../core/plain-line.js';
import { wholeTextOf, type Media, type Poll, type PostCounts } from '../../core/post.js';
import type { PostCard } from '../../views/cards/post-card.js';
import { momentText } from '../times.js';
import { shownName } from '../shown-name.js';
import { authorLine, userPicture } from './author.js';
import { mediaFile } from './media-file.js';
import { postPath, profilePath } from './paths.js';
import { richText, type RichText } from './rich-text.js';

/** Data that all cards of a page share. */
export interface CardContext {
  readonly publicUrl: string;
  readonly nowMs: number;
}

/** How a card appears on its page. */
export interface CardPlace {
  /** True for the post that the page is about. */
  readonly isMain?: boolean;
  /** A line above the post. */
  readonly note?: Html;
}

/** Returns a post as a card: author, time, text, attachments and counts. */
export function postCard(card: PostCard, context: CardContext, { isMain, note }: CardPlace = {}): Html {
  const { post, author, counts, repostedBy } = card;
  const path = postPath(post.id, author);
  return html`<article class="post ${isMain === true ? 'main' : ''}">
    ${
      repostedBy &&
      html`<p class="above">
        <a href="${profilePath(repostedBy)}"><bdi>${shownName(repostedBy)}</bdi></a> reposted
      </p>`
    }
    ${note && html`<p class="above">${note}</p>`}
    <div class="head">
      ${author && userPicture(author, '_bigger', context.publicUrl)}
      <div>${authorLine(author)} <a class="time" href="${path}">${momentText(post.createdAtMs)}</a></div>
    </div>
    ${body(card, context, isMain)} ${countsLine(counts)}
  </article>`;
}

/** Returns the post's text with its entities. Links that attachments already show are hidden. */
export function textOfPost({ post, mentioned, quoted }: PostCard, isWhole = false): RichText {
  const { quotedPostId } = post;
  const { text, entities, wireText } = isWhole ? wholeTextOf(post) : { text: post.text, ...post.detail };
  const isQuoted = ({ expanded_url: expanded, url }: UrlEntity): boolean =>
    quoted !== undefined && new RegExp(`/status/${quotedPostId}$`).test(expanded ?? url);
  return {
    wireText: wireText ?? escapeText(text),
    entities,
    mentioned,
    isShown: (url) => url.media_key !== undefined || isQuoted(url),
  };
}

function body(card: PostCard, context: CardContext, isMain = false): Html {
  const { post, poll, place, quoted } = card;
  return html`${writtenText(richText(textOfPost(card, isMain)), languageOf(post.lang))}
  ${!isMain && (post.detail.note ?? post.detail.article) && longLink(card)}
  ${isMain && post.detail.article && writtenText(html`${post.detail.article.plainText}`)} ${disclosures(post)}
  ${attachedMedia(card, context)} ${poll && pollResults(poll, context.nowMs)}
  ${quoted === 'unavailable' && html`<p class="absent">The quoted post is not available.</p>`}
  ${quoted !== undefined && quoted !== 'unavailable' && quotedCard(quoted, context)}
  ${place && html`<p class="place">Place: <bdi>${plainLine(place.fullName)}</bdi></p>`}`;
}

/** Returns what the author discloses about the post. */
function disclosures({ detail: { paidPartnership, madeWithAi } }: PostCard['post']): Html | undefined {
  const parts = [paidPartnership && 'Paid partnership', madeWithAi && 'Made with AI'].filter(Boolean);
  return parts.length === 0 ? undefined : html`<p class="hint">${parts.join(' · ')}</p>`;
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
  const { post, author } = card;
  return html`<div class="quoted">
    <p class="quoted-head">
      ${authorLine(author)}
      <a class="time" href="${postPath(post.id, author)}">${momentText(post.createdAtMs)}</a>
    </p>
    ${body(card, context)}
  </div>`;
}

/** Returns up to four media side by side, linked to their own pages. Sensitive media are collapsed. */
function attachedMedia({ post, author, media }: PostCard, context: CardContext): Html | undefined {
  if (media.length === 0) return undefined;
  const base = postPath(post.id, author);
  const shown = html`<div class="attached ${media.length > 1 ? 'several' : ''}">
    ${media.map((each, index) => framed(each, `${base}/${linkKind(each)}/${index + 1}`, context.publicUrl))}
  </div>`;
  if (!post.possiblySensitive) return shown;
  return html`<details class="sensitive">
    <summary>Media that may be sensitive</summary>
    ${shown}
  </details>`;
}

function framed(media: Media, path: string, publicUrl: string): Html {
  const file = mediaFile(media, publicUrl);
  const isPicture = media.type === 'photo' && file.markup.startsWith('<img');
  return html`<figure>${isPicture ? html`<a href="${path}">${file}</a>` : file}</figure>`;
}

/** Returns the path segment before the number of a media file. */
export function linkKind({ type }: Media): 'photo' | 'video' {
  return type === 'photo' ? 'photo' : 'video';
}

function countsLine({ replies, reposts, quotes, likes }: PostCounts): Html | undefined {
  const parts = [
    counted(replies, 'reply', 'replies'),
    counted(reposts, 'repost', 'reposts'),
    counted(quotes, 'quote', 'quotes'),
    counted(likes, 'like', 'likes'),
  ].filter((each) => each !== undefined);
  return parts.length === 0
    ? undefined
    : html`<ul class="counts">
        ${parts.map((each) => html`<li>${each}</li>`)}
      </ul>`;
}

function counted(count: number, one: string, several: string): Html | undefined {
  if (count === 0) return undefined;
  return html`<strong>${count.toLocaleString('en')}</strong> ${count === 1 ? one : several}`;
}

/** Returns a BCP 47 tag; empty for codes that name no language, such as `und` and `qme`. */
function languageOf(lang: string): string {
  return /^(?:und|zxx|art|q[a-z]{2})$/.test(lang) || !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(lang)
    ? ''
    : lang;
}

/** Returns the results of a poll; pages do not offer voting. */
function pollResults(poll: Poll, nowMs: number): Html {
  const total = poll.options.reduce((sum, { votes }) => sum + votes, 0);
  return html`<div class="poll">
    ${poll.options.map(
      ({ label, votes }) =>
        html`<div class="option">
          <span dir="auto">${label}</span> <span class="share">${share(votes, total)}</span>
          <progress value="${votes}" max="${Math.max(total, 1)}" aria-label="${label}"></progress>
        </div>`,
    )}
    <p class="hint">
      ${total === 1 ? '1 vote' : `${total.toLocaleString('en')} votes`} · ${ending(poll, nowMs)}
    </p>
  </div>`;
}

function share(votes: number, total: number): string {
  return `${total === 0 ? 0 : Math.round((100 * votes) / total)}%`;
}

function ending({ endsAtMs, votingStatus }: Poll, nowMs: number): Html | string {
  if (endsAtMs === undefined) return votingStatus === 'open' ? 'open' : 'final results';
  return endsAtMs <= nowMs ? 'final results' : html`open until ${momentText(endsAtMs)}`;
}
