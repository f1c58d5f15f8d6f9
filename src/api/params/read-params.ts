import { RecentMap } from '../../core/maps.js';
import type { Faults } from '../../http/faults.js';
import type { ParamMap } from './params.js';
import { querySpellings, readQuery, type Slot } from './read-query.js';

/** The parameters of one request. */
export interface Input {
  readonly params: Record<string, unknown>;
  /** True if the request uses a name that older ones lack (docs/api/objects.md#vocabularies). */
  readonly isNewer: boolean;
}

/** The number of cached queries: clients repeat few combinations of parameters. */
const MAX_QUERIES = 128;
const MAX_QUERY_CHARACTERS = 512;

/** Reads the parameters of one endpoint and reports every fault. */
export type ParamReader = (query: string, path: Readonly<Record<string, string>>, faults: Faults) => Input;

export interface ParamRules {
  /** Accepts unknown and repeated names, and takes empty values as not sent. */
  readonly openQuery?: boolean;
  /** Query parameters of which exactly one is required. */
  readonly exactlyOneOf?: readonly string[];
}

/**
 * Builds the reader of an endpoint. The query string is read once, from left to right; dotted names are also known by
 * their underscore spelling, and both by newer names (docs/api/requests.md#parameters).
 */
export function paramReader(params: ParamMap, rules: ParamRules = {}): ParamReader {
  const { openQuery = false, exactlyOneOf } = rules;
  const slots: Slot[] = Object.entries(params).map(([name, spec]) => ({ name, spec }));
  const querySlots = slots.filter((slot) => slot.spec.in === 'query');
  const spellings = querySpellings(querySlots);
  const allowed = querySlots.map((slot) => slot.name).join(',');

  const read = (query: string, path: Readonly<Record<string, string>>, faults: Faults): Input => {
    const sent = query === '' ? [] : readQuery(query, spellings, allowed, openQuery, faults);
    const values: Record<string, unknown> = {};
    let queryIndex = 0;
    for (const slot of slots) {
      if (slot.spec.in === 'path') {
        values[slot.name] = readValue(slot, path[slot.name], faults);
      } else {
        const found = sent[queryIndex++];
        const raw = openQuery && found?.raw === '' ? undefined : found?.raw;
        values[slot.name] = readValue(found ?? slot, raw, faults);
      }
    }
    if (exactlyOneOf) {
      requireExactlyOne(exactlyOneOf, (name) => sent[spellings.get(name)?.index ?? -1]?.raw, faults);
    }
    return { params: values, isNewer: sent.some((each) => each?.isNewer) };
  };

  const pathSlots = slots.filter((slot) => slot.spec.in === 'path');
  const known = new RecentMap<string, Input>(MAX_QUERIES);
  return (sentQuery, path, faults) => {
    const query = withoutSignature(sentQuery);
    const before = known.get(query);
    if (before) {
      const input = copyOf(before);
      for (const slot of pathSlots) input.params[slot.name] = readValue(slot, path[slot.name], faults);
      return input;
    }
    const input = read(query, path, faults);
    if (faults.isEmpty && query.length <= MAX_QUERY_CHARACTERS) known.set(query, copyOf(input));
    return input;
  };
}

function copyOf({ params, isNewer }: Input): Input {
  return { params: { ...params }, isNewer };
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

/** `null` marks an unreadable value that was reported. */
function readValue({ name, spec }: Slot, raw: string | null | undefined, faults: Faults): unknown {
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
