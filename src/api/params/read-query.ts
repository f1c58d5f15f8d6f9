import type { Faults } from '../../http/faults.js';
import { newerNamesOf } from '../../views/newer-names.js';
import type { ParamSpec } from './params.js';

/** A declared parameter. */
export interface Slot {
  readonly name: string;
  readonly spec: ParamSpec<unknown>;
}

/** A name that requests may use for a query parameter; messages write it with dots. */
export interface Spelling extends Slot {
  /** Of the parameter, in the order of declaration. */
  readonly index: number;
  readonly isNewer: boolean;
}

/** A query parameter as it was sent, with the declaration that its names choose. */
interface Sent extends Slot {
  /** `null` marks an unreadable value that was reported. */
  readonly raw: string | null;
  /** True if the parameter was sent by a newer name, or chooses by one. */
  readonly isNewer: boolean;
}

/**
 * Reads a query string once, from left to right, and returns its parameters in the order of declaration. Reports
 * malformed and repeated ones and unknown names, which a message lists as `allowed`.
 */
export function readQuery(
  query: string,
  spellings: ReadonlyMap<string, Spelling>,
  allowed: string,
  openQuery: boolean,
  faults: Faults,
): (Sent | undefined)[] {
  const sent: (Sent | undefined)[] = [];
  let start = 0;
  while (start <= query.length) {
    const next = query.indexOf('&', start);
    const end = next === -1 ? query.length : next;
    if (end > start) {
      const equals = query.indexOf('=', start);
      const nameEnd = equals === -1 || equals > end ? end : equals;
      const rawName = query.slice(start, nameEnd);
      const rawValue = query.slice(Math.min(nameEnd + 1, end), end);
      const by = spellings.get(rawName) ?? spellings.get(decode(rawName) ?? '');
      if (by) receive(sent, by, rawValue, openQuery, faults);
      else if (!openQuery) reportUnknown(rawName, rawValue, allowed, faults);
    }
    start = end + 1;
  }
  return sent;
}

function receive(
  sent: (Sent | undefined)[],
  by: Spelling,
  rawValue: string,
  openQuery: boolean,
  faults: Faults,
): void {
  const value = decode(rawValue);
  const { name, index } = by;
  if (value === undefined) {
    faults.add(name, [rawValue], `The \`${name}\` query parameter value [${rawValue}] is not valid`);
  }
  const before = sent[index];
  if (before && !openQuery) {
    const both = [before.raw, value].map((text) => text ?? rawValue);
    faults.add(name, both, `Duplicate parameters are not allowed: the \`${name}\` query parameter`);
  }
  sent[index] = sentAs(by, value ?? null);
}

function sentAs({ name, spec, isNewer }: Spelling, raw: string | null): Sent {
  const { newer } = spec;
  if (newer && (isNewer || (raw !== null && newer.isIn(raw))))
    return { name, spec: newer.spec, raw, isNewer: true };
  return { name, spec, raw, isNewer: false };
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

/** Returns the query parameters by every name that requests may use. */
export function querySpellings(slots: readonly Slot[]): ReadonlyMap<string, Spelling> {
  const spellings = new Map<string, Spelling>();
  const add = (spelling: Spelling): void => {
    spellings.set(spelling.name, spelling);
    spellings.set(spelling.name.replaceAll('.', '_'), spelling);
  };
  slots.forEach(({ name, spec }, index) => {
    add({ name, spec, index, isNewer: false });
    if (!spec.newer) return;
    for (const newer of newerNamesOf(name)) add({ name: newer, spec, index, isNewer: true });
  });
  return spellings;
}
