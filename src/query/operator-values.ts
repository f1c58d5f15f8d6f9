import type { Fold } from '../core/search-text/fold.js';
import { type TokenPhrase, phraseOf } from '../core/search-text/tokenize.js';
import { type PostId, type UserId, parseId } from '../core/ids.js';
import type { OperatorValue } from './ast.js';
import type { Predicate, UserRef } from './conditions.js';
import type { Reading, ValueReader } from './operator-set.js';

/** Early accounts have usernames of up to 20 characters. */
const USERNAME = /^[A-Za-z0-9_]{1,20}$/;
const CONTEXT = /^(\*|\d{1,19})\.(\*|\d{1,19})$/;
const COUNTRY_CODE = /^[A-Za-z]{2}$/;
const WHOLE_NUMBER = /^\d{1,9}$/;

/**
 * Interprets a non-empty value without brackets with `test`; otherwise, or if `test` fails, returns a fault with the
 * expected form.
 */
export function reading<const P>(
  value: OperatorValue,
  expected: string,
  test: () => P | undefined,
): Reading<P> {
  const read = value.form === 'brackets' || value.text.trim() === '' ? undefined : test();
  return read === undefined ? { fault: `value [${value.text}] must be ${expected}` } : { test: read };
}

/** Creates a reader of a user: a numeric id or a username without `@`; digits are an id. */
export function user<const P>(test: (user: UserRef) => P): ValueReader<P> {
  return (value) =>
    reading(value, 'a username without @ or a numeric user id', () => {
      const id = parseId<UserId>(value.text);
      if (id !== undefined) return test({ by: 'id', id });
      if (!USERNAME.test(value.text)) return undefined;
      return test({ by: 'username', username: value.text.toLowerCase() });
    });
}

/** Creates a reader of a post id. */
export function postId<const P>(test: (postId: PostId) => P): ValueReader<P> {
  return (value) =>
    reading(value, 'a numeric post id', () => {
      const id = parseId<PostId>(value.text);
      return id === undefined ? undefined : test(id);
    });
}

/** Parses a List id. */
export function listId(value: OperatorValue): Reading {
  return reading(value, 'a numeric List id', () => {
    const id = parseId(value.text);
    return id === undefined ? undefined : { kind: 'list', listId: id };
  });
}

/** Creates a reader of text that is matched by its tokens, at least one. */
export function tokens<const P>(test: (phrase: TokenPhrase, text: string) => P): ValueReader<P> {
  return (value, fold) =>
    reading(value, 'text with letters or digits', () => {
      const phrase = phraseOf(value.text, fold);
      return phrase === undefined ? undefined : test(phrase, value.text);
    });
}

/** Parses the name of a person, place or other entity. */
export function entityName(value: OperatorValue, fold: Fold): Reading {
  return reading(value, 'the name of an entity', () => ({ kind: 'entity', name: fold(value.text.trim()) }));
}

/** Parses `domain.entity`, one of which may be `*`. */
export function context(value: OperatorValue): Reading {
  return reading(value, 'a pair domain.entity of numeric ids, one of which may be *', () => {
    const [, domainId, entityId] = CONTEXT.exec(value.text) ?? [];
    if (domainId === undefined || entityId === undefined || (domainId === '*' && entityId === '*'))
      return undefined;
    return {
      kind: 'context',
      ...(domainId === '*' ? {} : { domainId }),
      ...(entityId === '*' ? {} : { entityId }),
    };
  });
}

/** Parses an ISO 3166-1 alpha-2 country code, case-insensitively. */
export function countryCode(value: OperatorValue): Reading {
  return reading(value, 'an ISO alpha-2 country code', () =>
    COUNTRY_CODE.test(value.text)
      ? { kind: 'place-country', countryCode: value.text.toUpperCase() }
      : undefined,
  );
}

/** Parses a language code of posts (BCP 47), case-insensitively. */
export function language(value: OperatorValue): Reading {
  return reading(value, 'a supported BCP 47 language code', () => {
    const lang = languageCode(value.text);
    return lang === undefined ? undefined : { kind: 'lang', lang };
  });
}

/** Parses the percentage of a sample. */
export function percent(value: OperatorValue): Reading {
  return reading(value, 'a whole number from 1 to 100', () => {
    const number = wholeNumber(value.text);
    return number === undefined || number < 1 || number > 100
      ? undefined
      : { kind: 'sample', percent: number };
  });
}

/** Creates a reader of the minimum of a public count. */
export function minimum(counted: 'likes' | 'replies' | 'reposts'): ValueReader<Predicate> {
  return (value) =>
    reading(value, 'a whole number', () => {
      const number = wholeNumber(value.text);
      return number === undefined ? undefined : { kind: 'min-count', counted, minimum: number };
    });
}

/** Returns the number written with one to nine digits, or undefined. */
export function wholeNumber(text: string): number | undefined {
  return WHOLE_NUMBER.test(text) ? Number(text) : undefined;
}

/** The codes of docs/api/search.md#matching, and `und`. */
const CODES =
  'am ar hy eu bn bs bg my hr ca cs da nl en et fi fr de el gu ht iw hi hi-Latn hu is in it ja kn km ko lo lv lt ml dv mr ' +
  'ne no or pa ps fa pl pt ro ru sr zh-CN sd si sk sl ckb es sv tl ta te th bo zh-TW tr uk ur ug vi cy ka und';

/** The wire codes of the languages that posts are written in here, as a search names them. */
export const LANGUAGE_CODES: readonly string[] = CODES.split(' ');

/** Further codes in imported posts: Chinese of unknown script, and texts with only entities. */
const IMPORTED_CODES = 'zh art qam qct qht qme qst zxx';

const ALIASES = [
  ['id', 'in'],
  ['he', 'iw'],
] as const;

const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ...[...LANGUAGE_CODES, ...IMPORTED_CODES.split(' ')].map((code) => [code.toLowerCase(), code] as const),
  ...ALIASES,
]);

/**
 * Returns the wire code of a language, case-insensitively and also for the newer codes of `in` and `iw`; undefined if
 * unknown.
 */
function languageCode(value: string): string | undefined {
  return LANGUAGES.get(value.toLowerCase());
}
