import { RecentMap } from '../../core/maps.js';
import type { Faults } from '../../http/faults.js';
import type { ParamMap, ParamSpec } from './params.js';

interface Slot {
  readonly name: string;
  readonly spec: ParamSpec<unknown>;
}

/** The number of cached queries: clients repeat few combinations of parameters. */
const MAX_QUERIES = 128;
const MAX_QUERY_CHARACTERS = 512;

/** Reads the parameters of one endpoint and reports every fault. */
export type ParamReader = (
  query: string,
  path: Readonly<Record<string, string>>,
  faults: Faults,
) => Record<string, unknown>;

export interface ParamRules {
  /** Accepts unknown and repeated names. */
  readonly openQuery?: boolean;
  /** Query parameters of which exactly one is required. */
  readonly exactlyOneOf?: readonly string[];
}

/**
 * Builds the reader of an endpoint. The query string is read once, from left to right; dotted names are also known by
 * their underscore spelling, `tweet.fields` as `post.fields` too (docs/api/requests.md#parameters).
 */
export function paramReader(params: ParamMap, rules: ParamRules = {}): ParamReader {
  const { openQuery = false, exactlyOneOf } = rules;
  const slots: Slot[] = Object.entries(params).map(([name, spec]) => ({ name, spec }));
  const querySlots = slots.filter((slot) => slot.spec.in === 'query');
  const indexOf = queryNames(querySlots);
  const allowed = querySlots.map((slot) => slot.name).join(',');

  const read = (query: string, path: Readonly<Record<string, string>>, faults: Faults) => {
    const sent = query === '' ? undefined : readQuery(query, indexOf, querySlots, allowed, openQuery, faults);
    const values: Record<string, unknown> = {};
    let queryIndex = 0;
    for (const slot of slots) {
      const raw = slot.spec.in === 'path' ? path[slot.name] : sent?.[queryIndex++];
      values[slot.name] = readValue(slot, raw, faults);
    }
    if (exactlyOneOf) requireExactlyOne(exactlyOneOf, (name) => sent?.[indexOf.get(name) ?? -1], faults);
    return values;
  };

  const pathSlots = slots.filter((slot) => slot.spec.in === 'path');
  const known = new RecentMap<string, Readonly<Record<string, unknown>>>(MAX_QUERIES);
  return (sentQuery, path, faults) => {
    const query = withoutSignature(sentQuery);
    const before = known.get(query);
    if (before) {
      const values = { ...before };
      for (const slot of pathSlots) values[slot.name] = readValue(slot, path[slot.name], faults);
      return values;
    }
    const values = read(query, path, faults);
    if (faults.isEmpty && query.length <= MAX_QUERY_CHARACTERS) known.set(query, { ...values });
    return values;
  };
}

/**
 * Returns a query without its OAuth 1.0a parameters (RFC 5849 3.5.3), which authentication reads. In a query without
 * a signature these names are unknown parameters.
 */
function withoutSignature(query: string): string {
  if (!query.includes('oauth_signature=')) return query;
  return query
    .split('&')
    .filter((pair) => !pair.startsWith('oauth_'))
    .join('&');
}

function requireExactlyOne(
  names: readonly string[],
  rawOf: (name: string) => string | null | undefined,
  faults: Faults,
): void {
  const sent = names.filter((name) => rawOf(name) !== undefined);
  if (sent.length === 1) return;
  const parameters = Object.fromEntries(
    (sent.length === 0 ? names : sent).map((name) => [name, [rawOf(name) ?? []].flat()]),
  );
  const listed = names
    .map((name) => `\`${name}\``)
    .sort()
    .join(' or ');
  faults.addFor(parameters, `Exactly one of ${listed} is required`);
}

function queryNames(slots: readonly Slot[]): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  slots.forEach((slot, index) => {
    names.set(slot.name, index);
    names.set(slot.name.replaceAll('.', '_'), index);
    if (slot.name === 'tweet.fields')
      for (const name of ['post.fields', 'post_fields']) names.set(name, index);
  });
  return names;
}

/** `null` marks an unreadable value that was reported. */
function readValue(slot: Slot, raw: string | null | undefined, faults: Faults): unknown {
  const { name, spec } = slot;
  if (raw === undefined) {
    if (spec.required) faults.add(name, [], `The \`${name}\` query parameter can not be empty`);
    return spec.absent;
  }
  if (raw === null) return spec.absent;
  if (raw === '') {
    faults.add(name, [raw], `The \`${name}\` query parameter can not be empty`);
    return spec.absent;
  }
  return spec.parse(raw, name, faults);
}

function readQuery(
  query: string,
  indexOf: ReadonlyMap<string, number>,
  slots: readonly Slot[],
  allowed: string,
  openQuery: boolean,
  faults: Faults,
): (string | null | undefined)[] {
  const sent: (string | null | undefined)[] = new Array<undefined>(slots.length).fill(undefined);
  let start = 0;
  while (start <= query.length) {
    const next = query.indexOf('&', start);
    const end = next === -1 ? query.length : next;
    if (end > start) {
      const equals = query.indexOf('=', start);
      const nameEnd = equals === -1 || equals > end ? end : equals;
      const rawName = query.slice(start, nameEnd);
      const rawValue = query.slice(Math.min(nameEnd + 1, end), end);
      const index = indexOf.get(rawName) ?? indexOf.get(decode(rawName) ?? '');
      if (index !== undefined) receive(sent, index, slots[index]?.name ?? '', rawValue, openQuery, faults);
      else if (!openQuery) reportUnknown(rawName, rawValue, allowed, faults);
    }
    start = end + 1;
  }
  return sent;
}

function receive(
  sent: (string | null | undefined)[],
  index: number,
  name: string,
  rawValue: string,
  openQuery: boolean,
  faults: Faults,
): void {
  const value = decode(rawValue);
  if (value === undefined) {
    faults.add(name, [rawValue], `The \`${name}\` query parameter value [${rawValue}] is not valid`);
  }
  const before = sent[index];
  if (before !== undefined && !openQuery) {
    const both = [before, value].map((text) => text ?? rawValue);
    faults.add(name, both, `Duplicate parameters are not allowed: the \`${name}\` query parameter`);
  }
  sent[index] = value ?? null;
}

function reportUnknown(rawName: string, rawValue: string, allowed: string, faults: Faults): void {
  const name = decode(rawName) ?? rawName;
  const value = decode(rawValue) ?? rawValue;
  faults.add(name, [value], `The query parameter [${name}] is not one of [${allowed}]`);
}

/** Decodes percent-encoding, with `+` for a space; undefined if it is malformed or not UTF-8. */
function decode(raw: string): string | undefined {
  if (!/[%+]/.test(raw)) return raw;
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
