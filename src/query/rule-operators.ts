import { foldCase } from '../core/search-text/fold.js';
import { tokensOf } from '../core/search-text/tokenize.js';
import { COMMON_OPERATORS, ofUser, standalone } from './common-operators.js';
import { faultAt } from './fault.js';
import type { QueryLanguage } from './language.js';
import type { Operator, Reading, ValueReader } from './operator-set.js';
import { percent, reading, tokens, wholeNumber } from './operator-values.js';
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

const profile = (meaning: string, example: string, part: Part<'profile'>): Operator<RulePredicate> =>
  standalone(
    [meaning, example],
    tokens((phrase) => ({ kind: 'profile', part, phrase })),
  );

const link = (meaning: string, example: string, part: Part<'link'>): Operator<RulePredicate> =>
  standalone(
    [meaning, example],
    tokens((phrase) => ({ kind: 'link', part, phrase })),
  );

const counts = (meaning: string, example: string, counted: AuthorCount): Operator<RulePredicate> =>
  standalone([meaning, example], countRange(counted));

const affiliate = (example: string, role: 'author' | 'addressee'): Operator<RulePredicate> =>
  ofUser(['nothing, as there are no affiliates', example], (of) => ({ kind: 'affiliate', role, user: of }));

const SAMPLE: Operator<RulePredicate> = {
  meaning: 'a share of all posts in percent',
  example: 'heron sample:10',
  standalone: false,
  only: 'positive',
  read: percent,
};

/** The language of stream rules (docs/api/streams.md#rules). */
export const RULE_LANGUAGE: QueryLanguage<RulePredicate> = {
  operators: new Map<string, Operator<RulePredicate>>([
    ...COMMON_OPERATORS,
    ['sample', SAMPLE],
    ['bio', profile('words of the author’s description', 'bio:ferry', 'bio')],
    ['bio_name', profile('words of the author’s name', 'bio_name:maya', 'name')],
    ['bio_location', profile('words of the author’s location', 'bio_location:"Port Ellary"', 'location')],
    ['url_title', link('words of the title of a link', 'url_title:timetable', 'title')],
    ['url_description', link('words of the description of a link', 'url_description:tides', 'description')],
    ['url_contains', standalone(['a part of the address of a link', 'url_contains:ferry'], addressPart)],
    ['source', standalone(['the name of the app that wrote the post', 'source:"Tide Bot"'], source)],
    [
      'followers_count',
      counts('at least so many followers, or a range', 'followers_count:10..20', 'followers'),
    ],
    ['tweets_count', counts('at least so many posts of the author, or a range', 'tweets_count:100', 'posts')],
    ['following_count', counts('the author follows so many, or a range', 'following_count:50', 'following')],
    ['listed_count', counts('the author is on so many Lists, or a range', 'listed_count:5', 'listed')],
    ['min_followers', standalone(['the same as followers_count:', 'min_followers:100'], minFollowers)],
    ['from_affiliate_of', affiliate('from_affiliate_of:maya', 'author')],
    ['to_affiliate_of', affiliate('to_affiliate_of:maya', 'addressee')],
  ]),
  fold: foldCase,
  near,
  unknownOperator: (name, position) => faultAt(position, `Reference to invalid field '${name}'`),
  unknownValue: (named, position) => faultAt(position, `Reference to invalid operator '${named}'`),
};
