import { html, type Html } from '../../api/reference/html.js';
import type { Entities, UrlEntity } from '../../core/entities.js';
import { unescapeText } from '../../core/post-text/escape.js';
import { isPlainLine } from '../../core/plain-line.js';
import type { User } from '../../core/user.js';
import { isTag, profilePath, tagPath } from './paths.js';

/** A text of the wire with its entities. */
export interface RichText {
  /** Escaped as on the wire: entities count its code points. */
  readonly wireText: string;
  readonly entities?: Omit<Entities, 'annotations'>;
  /** Accounts that are there, by id: others' handles are plain text, as their links would lead nowhere. */
  readonly mentioned: ReadonlyMap<string, User>;
  /** True for a link that something beside the text shows already. */
  readonly isShown?: (url: UrlEntity) => boolean;
}

/** A part of the text that becomes a link; undefined for one that is left out. */
interface Piece {
  readonly start: number;
  readonly end: number;
  /** Makes the link of the part's text; undefined when offsets and text do not fit. */
  readonly link: (text: string) => Html | undefined;
  readonly isLeftOut?: boolean;
}

/** The text with links for URLs, mentions, hashtags and cashtags. Entities that do not fit the text are passed over. */
export function richText(text: RichText): Html {
  const characters = [...text.wireText];
  const parts: (Html | string)[] = [];
  let at = 0;
  for (const piece of piecesOf(text)) {
    const { start, end, link, isLeftOut } = piece;
    if (start < at || end <= start || end > characters.length) continue;
    const made = link(unescapeText(characters.slice(start, end).join('')));
    if (!made) continue;
    parts.push(unescapeText(characters.slice(at, start).join('')));
    if (isLeftOut !== true) parts.push(made);
    at = end;
  }
  parts.push(unescapeText(characters.slice(at).join('')));
  return html`${trimmed(parts)}`;
}

/** The text as it reads without markup. */
export function plainText({ wireText }: Pick<RichText, 'wireText'>): string {
  return unescapeText(wireText);
}

/** A text in one line for titles: its own characters of direction would turn around what stands beside it. */
export function titleText(text: string): string {
  return text
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

function piecesOf({ entities = {}, mentioned, isShown }: RichText): Piece[] {
  const { urls = [], mentions = [], hashtags = [], cashtags = [] } = entities;
  const pieces: Piece[] = [
    ...urls.map((url) => ({
      ...url,
      link: (text: string) => (text === url.url ? webLink(url.expanded_url ?? url.url) : undefined),
      isLeftOut: isShown?.(url) === true,
    })),
    ...mentions.map((mention) => ({
      ...mention,
      link: (text: string) => {
        const user = mentioned.get(mention.id ?? '');
        return user && /^[@＠]/u.test(text) ? ownLink(profilePath(user), text) : undefined;
      },
    })),
    ...[...hashtags, ...cashtags].map((tag) => ({ ...tag, link: (text: string) => tagLink(text, tag.tag) })),
  ];
  return pieces.sort((one, other) => one.start - other.start);
}

const MAX_SHOWN_LENGTH = 48;

/** A link to anywhere on the web. What is shown is where it leads, whatever the post calls it. */
export function webLink(url: string): Html {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return html`${url}`;
  const { href, host, pathname, search, hash, username, password } = new URL(url);
  // Invisible characters could make an address read as another, and so could a user's name before the host.
  const isPlain = isPlainLine(url) && username === '' && password === '';
  const honest = isPlain ? url : host + pathname + search + hash;
  const characters = [...honest.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/^([^/]+)\/$/, '$1')];
  const shown = characters.slice(0, MAX_SHOWN_LENGTH).join('');
  const rest = characters.length > MAX_SHOWN_LENGTH && '…';
  return html`<a href="${href}" rel="nofollow noopener noreferrer ugc" dir="ltr">${shown}${rest}</a>`;
}

/** A link to the posts with a tag; undefined for a text that is none. */
function tagLink(text: string, word: string): Html | undefined {
  const [sign = ''] = text;
  const kind = sign === '$' ? '$' : '#';
  if (!/^[#＃$]$/u.test(sign) || !isTag(kind, word)) return undefined;
  return html`<a href="${tagPath(kind, word)}">${text}</a>`;
}

function ownLink(path: string, text: string): Html {
  // A handle at the start does not make a text run from left to right.
  return html`<a href="${path}" dir="ltr">${text}</a>`;
}

/** Without blanks at the ends, where links were left out. */
function trimmed(parts: (Html | string)[]): (Html | string)[] {
  const last = parts.findLastIndex((part) => typeof part !== 'string' || part.trim() !== '');
  return parts
    .slice(0, last + 1)
    .map((part, index) => (index === last && typeof part === 'string' ? part.trimEnd() : part));
}
