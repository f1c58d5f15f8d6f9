import { foldCase } from '../core/search-text/fold.js';
import { tokensOf } from '../core/search-text/tokenize.js';
import { COMMON_OPERATORS, standalone } from './common-operators.js';
import { faultAt } from './fault.js';
import type { QueryLanguage } from './language.js';
import type { Operator, Reading, ValueReader } from './operator-set.js';
import { percent, reading, tokens, user, wholeNumber } from './operator-values.js';
import type { AuthorCount, RulePredicate } from './rule-conditions.js';

const MAX_DISTANCE = 6;

function near(text: string, distance: number): Reading<RulePredicate> {
  const words = [...new Set(tokensOf(text, foldCase))];
  if (words.length === 0) return { fault: 'there must be letters or digits between the quotes' };
  if (distance < 1 || distance > MAX_DISTANCE) {
    return {
      fault: `the distance [${String(distance)}] must be a whole number from 1 to ${String(MAX_DISTANCE)}`,
    };
  }
  return { test: { kind: 'near', tokens: words, distance } };
}

const RANGE = /^(\d{1,9})(?:\.\.(\d{1,9}))?$/;

/** Creates a reader of `n`, which means at least, or `n..m`. */
function countRange(counted: AuthorCount): ValueReader<RulePredicate> {
  return (value) =>
    reading(value, 'a whole number or a range such as 10..20', () => {
      const [, least, most] = RANGE.exec(value.text) ?? [];
      if (least === undefined || Number(most ?? least) < Number(least)) return undefined;
      return { kind: 'author-count', counted, least: Number(least), most: Number(most ?? Infinity) };
    });
}

const minFollowers: ValueReader<RulePredicate> = (value) =>
  reading(value, 'a whole number', () => {
    const least = wholeNumber(value.text);
    return least === undefined
      ? undefined
      : { kind: 'author-count', counted: 'followers', least, most: Infinity };
  });

const addressPart: ValueReader<RulePredicate> = (value) =>
  reading(value, 'a part of an address', () => ({
    kind: 'address-part',
    text: value.text.trim().toLowerCase(),
  }));

const source: ValueReader<RulePredicate> = (value, fold) =>
  reading(value, 'the name of an app', () => ({ kind: 'source', name: fold(value.text.trim()) }));

type Part<Kind> = Extract<RulePredicate, { readonly kind: Kind; readonly part: string }>['part'];

const profile = (part: Part<'profile'>): Operator<RulePredicate> =>
  standalone(tokens((phrase) => ({ kind: 'profile', part, phrase })));

const link = (part: Part<'link'>): Operator<RulePredicate> =>
  standalone(tokens((phrase) => ({ kind: 'link', part, phrase })));

const affiliate = (role: 'author' | 'addressee'): Operator<RulePredicate> =>
  standalone(user((of) => ({ kind: 'affiliate', role, user: of })));

/** The language of stream rules (docs/api/streams.md#rules). */
export const RULE_LANGUAGE: QueryLanguage<RulePredicate> = {
  operators: new Map<string, Operator<RulePredicate>>([
    ...COMMON_OPERATORS,
    ['sample', { standalone: false, only: 'positive', read: percent }],
    ['bio', profile('bio')],
    ['bio_name', profile('name')],
    ['bio_location', profile('location')],
    ['url_title', link('title')],
    ['url_description', link('description')],
    ['url_contains', standalone(addressPart)],
    ['source', standalone(source)],
    ['followers_count', standalone(countRange('followers'))],
    ['tweets_count', standalone(countRange('posts'))],
    ['following_count', standalone(countRange('following'))],
    ['listed_count', standalone(countRange('listed'))],
    ['min_followers', standalone(minFollowers)],
    ['from_affiliate_of', affiliate('author')],
    ['to_affiliate_of', affiliate('addressee')],
  ]),
  fold: foldCase,
  near,
  unknownOperator: (name, position) => faultAt(position, `Reference to invalid field '${name}'`),
  unknownValue: (named, position) => faultAt(position, `Reference to invalid operator '${named}'`),
};
