import { encodePercent } from '../percent.js';
import { type Pair, parseForm } from '../protocol.js';
import { byNameThenValue, normalizeParameters } from '../signature.js';
import { WRONG_ENCODINGS } from './encodings.js';
import type { SentParameters } from './sent-parameters.js';
import { shortName, type Variant } from './variant.js';

/** Of a request with more parameters, only these are tried as left out or doubled. */
const MAX_TRIED_NAMES = 16;

/**
 * Returns the parameter texts that a client may have signed, the right one first, the others by likelihood. Their
 * number and order depend only on the names in `sent`, so that the texts of the same request with other values, such
 * as hidden ones, correspond to these.
 */
export function parameterVariants(sent: SentParameters): Variant[] {
  const { header, query, form } = sent;
  const all = [...header, ...query, ...form];
  return [
    { text: normalizeParameters(all) },
    ...sourceMistakes(sent),
    { text: joined(all.map(encodedPair)), mistake: 'did not sort the parameters' },
    ...WRONG_ENCODINGS.map(({ encode, mistake }) => ({ text: normalizeParameters(all, encode), mistake })),
    ...leftOut(all),
    ...formMistakes(sent),
    {
      text: joined([...all].sort(byNameThenValue).map(encodedPair)),
      mistake: 'sorted the parameters before escaping them',
    },
    ...doubled(all),
    ...added(all),
  ];
}

/** Whole sources that were left out, doubled or added. */
function sourceMistakes({ header, query, form, json }: SentParameters): Variant[] {
  return [
    variant([...header, ...form], 'left out the query'),
    variant([...header, ...query], 'left out the form body'),
    variant(header, 'left out the query and the form body'),
    variant([...query, ...form], 'left out the OAuth parameters'),
    variant([...header, ...query, ...form, ...json], 'added the members of the JSON body'),
    variant([...header, ...query, ...query, ...form], 'added the query twice'),
    variant([...header, ...query, ...form, ...form], 'added the form body twice'),
  ];
}

function formMistakes({ header, rawQuery, rawForm }: SentParameters): Variant[] {
  return [
    {
      text: rawJoined(header, rawQuery, rawForm),
      mistake: 'signed the query and the form with the escapes of the URL, unchanged',
    },
    variant(
      [...header, ...withLiteralPlus(rawQuery), ...withLiteralPlus(rawForm)],
      'signed + as a plus sign where a query or form means a space',
    ),
  ];
}

function leftOut(all: readonly Pair[]): Variant[] {
  return tried(all).map((name) =>
    variant(
      all.filter((pair) => pair[0] !== name),
      `left out the parameter ${shortName(name)}`,
    ),
  );
}

function doubled(all: readonly Pair[]): Variant[] {
  return tried(all).map((name) =>
    variant(
      [...all, ...all.filter((pair) => pair[0] === name)],
      `added the parameter ${shortName(name)} twice`,
    ),
  );
}

/** Parameters that libraries sign but some clients do not send. */
const OFTEN_ADDED: readonly Pair[] = [
  ['oauth_version', '1.0'],
  ['oauth_token', ''],
  ['oauth_signature', ''],
  ['oauth_callback', 'oob'],
  ['realm', ''],
];

function added(all: readonly Pair[]): Variant[] {
  return OFTEN_ADDED.map(([name, value]) =>
    variant([...all, [name, value]], `signed ${name}=${value}, which the request does not have`),
  );
}

/** Returns the distinct names: those of the request first, since clients lose these most often. */
function tried(all: readonly Pair[]): string[] {
  const names = [...new Set(all.map(([name]) => name))];
  const isProtocol = (name: string) => name.startsWith('oauth_');
  const ordered = [...names.filter((name) => !isProtocol(name)), ...names.filter(isProtocol)];
  return ordered.slice(0, MAX_TRIED_NAMES);
}

function variant(pairs: readonly Pair[], mistake: string): Variant {
  return { text: normalizeParameters(pairs), mistake };
}

function encodedPair([name, value]: Pair): string {
  return `${encodePercent(name)}=${encodePercent(value)}`;
}

function joined(parts: readonly string[]): string {
  return parts.join('&');
}

function rawJoined(header: readonly Pair[], ...raw: readonly string[]): string {
  const parts = raw.flatMap((text) => text.split('&')).filter((part) => part !== '');
  const kept = parts.filter((part) => !part.startsWith('oauth_signature='));
  return joined([...header.map(encodedPair), ...kept].sort());
}

/** Returns the pairs of a query or form with `+` left as it is. */
function withLiteralPlus(raw: string): Pair[] {
  const pairs = parseForm(raw.replaceAll('+', '%2B'));
  return pairs.filter(([name]) => name !== 'oauth_signature');
}
