import { nearest } from '../core/nearest.js';
import type { Fault, FaultSink } from '../core/validators.js';
import { NamedError } from '../core/named-error.js';

/** A violated rule of a world file: its place (`$.posts[3].author`) and the reason. */
export interface WorldFault {
  readonly path: string;
  readonly reason: string;
}

/** Further faults are counted but not listed. */
const MAX_LISTED = 1_000;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_ECHO_CHARACTERS = 60;

/** Thrown for a world file that violates a rule. Nothing of it is stored. */
export class WorldRefused extends NamedError {
  constructor(
    readonly faults: readonly WorldFault[],
    /** The number of faults that are not listed. */
    readonly unlisted = 0,
    /** The file of the document; undefined for a document without a file. */
    readonly file?: string,
  ) {
    super(faults.map((fault) => `${fault.path}: ${fault.reason}`).join('; '));
  }
}

/** Collects the faults of a world file, which are reported together. */
export class WorldFaults implements FaultSink {
  /** Never true: further faults are counted. */
  readonly isFull = false;
  readonly #listed: WorldFault[] = [];
  #unlisted = 0;

  add(path: string, reason: string): void {
    if (this.#listed.length < MAX_LISTED) this.#listed.push({ path, reason });
    else this.#unlisted += 1;
  }

  report(path: string, fault: Fault, value?: unknown): undefined {
    this.add(fault.kind === 'unknown' ? memberPath(path, fault.name) : path, reasonOf(fault, value));
  }

  get hasAny(): boolean {
    return this.#listed.length > 0;
  }

  /** Throws WorldRefused if there is a fault. */
  throwIfAny(): void {
    if (this.hasAny) throw new WorldRefused(this.#listed, this.#unlisted);
  }
}

/** Returns the path of an object's member. */
function memberPath(path: string, key: string): string {
  return IDENTIFIER.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/** Returns a value as messages quote it, cut to a bounded length. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length <= MAX_ECHO_CHARACTERS
    ? text
    : `${Array.from(text).slice(0, MAX_ECHO_CHARACTERS).join('')}…`;
}

function reasonOf(fault: Fault, value: unknown): string {
  switch (fault.kind) {
    case 'missing':
      return 'is missing';
    case 'unknown':
      return `is no known key; ${hintFor(fault.name, fault.known)}`;
    case 'length':
      return `must have ${fault.min} to ${fault.max} characters; it has ${fault.count}`;
    case 'items': {
      const range = fault.max === Infinity ? `at least ${fault.min}` : `${fault.min} to ${fault.max}`;
      return `must have ${range} entries; it has ${fault.count}`;
    }
    case 'type':
      return mustBe(TYPES[fault.expected], value);
    case 'not-text':
      return mustBe('a string without U+0000 and half characters', value);
    case 'pattern':
      return mustBe(fault.description ?? fault.pattern.source, value);
    case 'id':
      return mustBe('an id: a string of 1 to 19 digits', value);
    case 'number':
      return mustBe(`a number from ${fault.min} to ${fault.max}`, value);
    case 'integer':
      return mustBe(`a whole number from ${fault.min} to ${fault.max}`, value);
    case 'choice':
      return mustBe(`one of ${fault.values.join(', ')}`, value);
    case 'time':
      return mustBe('a time as YYYY-MM-DDTHH:mm:ss[.sss]Z or now-90m', value);
  }
}

const TYPES = {
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
} as const;

function mustBe(what: string, value: unknown): string {
  return `must be ${what}, not ${quote(value)}`;
}

function hintFor(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  return meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`;
}
