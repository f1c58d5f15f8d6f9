import { LATIN_ACCENTS, PUNCTUATION, SPACES } from './characters.js';
import { codePointOffsets } from '../unicode.js';
import type { UnitSpan } from './domains.js';
import { findUrls } from './urls.js';

/** A range in Unicode code points; `end` is exclusive (docs/api/objects.md#entities). */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

interface TextUrl extends TextSpan {
  /** As written, possibly without a scheme. */
  readonly url: string;
}

interface TextTag extends TextSpan {
  /** Without its sign. */
  readonly tag: string;
}

interface TextMention extends TextSpan {
  /** As written, without the sign; at most 20 characters. */
  readonly username: string;
  /** Present for a List (`@username/slug`). */
  readonly listSlug?: string;
}

/** The entities of a text; each array is in text order. */
export interface TextEntities {
  readonly urls: readonly TextUrl[];
  readonly hashtags: readonly TextTag[];
  readonly mentions: readonly TextMention[];
  readonly cashtags: readonly TextTag[];
}

const NO_ENTITIES: TextEntities = { urls: [], hashtags: [], mentions: [], cashtags: [] };

const TAG_LETTERS = '\\p{L}\\p{M}';
/** Digits, and word-joining characters of various scripts. */
const TAG_EXTRAS =
  '\\p{Nd}_\\u200C\\u200D\\uA67E\\u05BE\\u05F3\\u05F4\\uFF5E\\u301C\\u309B\\u309C\\u30A0\\u30FB\\u3003\\u0F0B\\u0F0C\\u00B7';
const HASHTAG = new RegExp(`[#＃](?![\\uFE0F\\u20E3])([${TAG_LETTERS}${TAG_EXTRAS}]+)`, 'uy');
const TAG_LETTER = new RegExp(`[${TAG_LETTERS}]`, 'u');
const PRECEDES_NO_HASHTAG = new RegExp(`[${TAG_LETTERS}${TAG_EXTRAS}&]`, 'u');
const FOLLOWS_NO_HASHTAG = /[#＃]|:\/\//y;

const MENTION = /[@＠]([a-zA-Z0-9_]{1,20})(?:\/([a-zA-Z][a-zA-Z0-9_-]{0,24}))?/y;
const PRECEDES_NO_MENTION = /[a-zA-Z0-9_!#$%&*@＠]/;
const REPOST_MARK = /(?:^|[^a-zA-Z0-9_+~.-])rt:?$/i;
const FOLLOWS_NO_MENTION = new RegExp(`[@＠${LATIN_ACCENTS}]|://`, 'y');

const CASHTAG = new RegExp(`\\$([a-zA-Z]{1,6}(?:[._][a-zA-Z]{1,2})?)(?=$|[\\s${SPACES}${PUNCTUATION}])`, 'y');
const SPACE = new RegExp(`[${SPACES}]`);

/**
 * Finds the links, hashtags, mentions and cashtags of a text by the rules of docs/api/posts.md#entities and the
 * published conformance cases. Links take precedence over overlapping entities.
 */
export function extractEntities(text: string): TextEntities {
  if (!/[@＠#＃$.]/.test(text)) return NO_ENTITIES;
  const urls = findUrls(text).map(({ start, end }) => ({ start, end, url: text.slice(start, end) }));
  const offsets = codePointOffsets(text);
  return {
    urls: inCodePoints(urls, offsets),
    hashtags: inCodePoints(outsideUrls(urls, findAll(text, /[#＃]/g, hashtagAt)), offsets),
    mentions: inCodePoints(outsideUrls(urls, findAll(text, /[@＠]/g, mentionAt)), offsets),
    cashtags: inCodePoints(outsideUrls(urls, findAll(text, /\$/g, cashtagAt)), offsets),
  };
}

/** Returns the entities, in UTF-16 units, that `entityAt` reads at each match of the global pattern. */
function findAll<Entity extends UnitSpan>(
  text: string,
  signs: RegExp,
  entityAt: (text: string, start: number) => Entity | undefined,
): Entity[] {
  const found: Entity[] = [];
  for (let sign = signs.exec(text); sign !== null; sign = signs.exec(text)) {
    const entity = entityAt(text, sign.index);
    if (entity === undefined) continue;
    found.push(entity);
    signs.lastIndex = entity.end;
  }
  return found;
}

function hashtagAt(text: string, start: number): TextTag | undefined {
  if (PRECEDES_NO_HASHTAG.test(characterBefore(text, start))) return undefined;
  const tag = matchAt(HASHTAG, text, start)?.[1];
  if (tag === undefined || !TAG_LETTER.test(tag)) return undefined;
  const end = start + 1 + tag.length;
  return matchAt(FOLLOWS_NO_HASHTAG, text, end) === null ? { start, end, tag } : undefined;
}

/** Returns the character before a hashtag; empty after a variation selector, which is a mark but ends an emoji. */
function characterBefore(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - 2), start);
  if (/[\uFE0E\uFE0F]$/.test(before)) return '';
  return /[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(before) ? before : before.slice(-1);
}

function mentionAt(text: string, start: number): TextMention | undefined {
  if (!mayStartMention(text, start)) return undefined;
  const match = matchAt(MENTION, text, start);
  const username = match?.[1];
  if (!match || username === undefined) return undefined;
  const end = start + match[0].length;
  if (matchAt(FOLLOWS_NO_MENTION, text, end) !== null) return undefined;
  return match[2] === undefined ? { start, end, username } : { start, end, username, listSlug: match[2] };
}

/**
 * Reports whether a mention may start here. Letters before it forbid it, except for old reposts ("RT@user",
 * "rt:@user").
 */
function mayStartMention(text: string, start: number): boolean {
  if (start === 0 || !PRECEDES_NO_MENTION.test(text.charAt(start - 1))) return true;
  return REPOST_MARK.test(text.slice(Math.max(0, start - 4), start));
}

function cashtagAt(text: string, start: number): TextTag | undefined {
  if (start > 0 && !SPACE.test(text.charAt(start - 1))) return undefined;
  const tag = matchAt(CASHTAG, text, start)?.[1];
  return tag === undefined ? undefined : { start, end: start + 1 + tag.length, tag };
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

/** Returns the entities that overlap no link; both lists are in text order. */
function outsideUrls<Entity extends UnitSpan>(urls: readonly UnitSpan[], entities: Entity[]): Entity[] {
  let next = 0;
  return entities.filter((entity) => {
    while ((urls[next]?.end ?? Infinity) <= entity.start) next++;
    return (urls[next]?.start ?? Infinity) >= entity.end;
  });
}

function inCodePoints<Entity extends UnitSpan>(
  entities: Entity[],
  offset: (unit: number) => number,
): Entity[] {
  return entities.map((entity) => ({ ...entity, start: offset(entity.start), end: offset(entity.end) }));
}
