import { html, type Html } from '../../api/reference/html.js';
import { unescapeText } from '../../core/post-text/escape.js';
import { isPlainLine } from '../../core/plain-line.js';
import type { WireEntities, WireUrl, WireUser } from '../api/objects.js';
import { isTag, profilePath, tagPath } from './paths.js';

/** A text with its entities. */
export interface RichText {
  /** Escaped as on the wire: entity offsets count its code points. */
  readonly wireText: string;
  readonly entities?: WireEntities;
  /** Existing accounts by id. Other handles are shown as plain text. */
  readonly mentioned: ReadonlyMap<string, WireUser>;
  /** Returns true for links that are already shown next to the text. */
  readonly isShown?: (url: WireUrl) => boolean;
}

/** A part of the text that becomes a link. */
interface Piece {
  readonly start: number;
  readonly end: number;
  /** Returns the link; undefined when the entity does not match the text. */
  readonly link: (text: string) => Html | undefined;
  readonly isHidden?: boolean;
}

/**
 * Renders the text with links for URLs, mentions, hashtags and cashtags. Ignores entities that do not match the text.
 */
export function richText(text: RichText): Html {
  const characters = [...text.wireText];
  const parts: (Html | string)[] = [];
  let at = 0;
  for (const piece of piecesOf(text)) {
    const { start, end, link, isHidden } = piece;
    if (start < at || end <= start || end > characters.length) continue;
    const made = link(unescapeText(characters.slice(start, end).join('')));
    if (!made) continue;
    parts.push(unescapeText(characters.slice(at, start).join('')));
    if (isHidden !== true) parts.push(made);
    at = end;
  }
  parts.push(unescapeText(characters.slice(at).join('')));
  return html`${trimmed(parts)}`;
}

/** Returns the text without markup. */
export function plainText({ wireText }: Pick<RichText, 'wireText'>): string {
  return unescapeText(wireText);
}

/** Returns a text as a single line for titles, without direction characters that could reorder the text around it. */
export function titleText(text: string): string {
  return text
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** Returns the beginning of a text as a single line, with an ellipsis if it is longer. */
export function excerptOf(text: string, maxLength: number): string {
  const characters = [...titleText(text)];
  return characters.slice(0, maxLength).join('') + (characters.length > maxLength ? '…' : '');
}

function piecesOf({ entities = {}, mentioned, isShown }: RichText): Piece[] {
  const { urls = [], mentions = [], hashtags = [], cashtags = [] } = entities;
  const pieces: Piece[] = [
    ...urls.map((url) => ({
      start: url.start,
      end: url.end,
      link: (text: string) => (text === url.url ? webLink(url.expanded_url ?? url.url) : undefined),
      isHidden: isShown?.(url) === true,
    })),
    ...mentions.map(({ start, end, id = '' }) => ({
      start,
      end,
      link: (text: string) => {
        const user = mentioned.get(id);
        return user && /^[@＠]/u.test(text) ? ownLink(profilePath(user), text) : undefined;
      },
    })),
    ...[...hashtags, ...cashtags].map(({ start, end, tag }) => ({
      start,
      end,
      link: (text: string) => tagLink(text, tag),
    })),
  ];
  return pieces.sort((one, other) => one.start - other.start);
}

const MAX_SHOWN_LENGTH = 48;

/** Returns a link to any URL. The link text is the actual target, whatever the post displays. */
export function webLink(url: string): Html {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return html`${url}`;
  const { href, host, pathname, search, hash, username, password } = new URL(url);
  // Invisible characters or a user name before the host could disguise the target.
  const isPlain = isPlainLine(url) && username === '' && password === '';
  const target = isPlain ? url : host + pathname + search + hash;
  const characters = [...target.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/^([^/]+)\/$/, '$1')];
  const shown = characters.slice(0, MAX_SHOWN_LENGTH).join('');
  const rest = characters.length > MAX_SHOWN_LENGTH && '…';
  return html`<a href="${href}" rel="nofollow noopener noreferrer ugc" dir="ltr">${shown}${rest}</a>`;
}

/** Returns a link to the posts with a tag; undefined when the text is not a tag. */
function tagLink(text: string, word: string): Html | undefined {
  const [sign = ''] = text;
  const kind = sign === '$' ? '$' : '#';
  if (!/^[#＃$]$/u.test(sign) || !isTag(kind, word)) return undefined;
  return html`<a href="${tagPath(kind, word)}">${text}</a>`;
}

function ownLink(path: string, text: string): Html {
  // A leading handle must not make right-to-left text run left to right.
  return html`<a href="${path}" dir="ltr">${text}</a>`;
}

/** Trims the end, where links may have been hidden. */
function trimmed(parts: (Html | string)[]): (Html | string)[] {
  const last = parts.findLastIndex((part) => typeof part !== 'string' || part.trim() !== '');
  return parts
    .slice(0, last + 1)
    .map((part, index) => (index === last && typeof part === 'string' ? part.trimEnd() : part));
}
