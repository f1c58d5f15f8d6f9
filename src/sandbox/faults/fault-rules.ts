import type { IncomingHttpHeaders } from 'node:http';
import { seededRandom, type Random } from '../../core/seeded-random.js';
import { patternMatcher, type MatchedRequest, type RequestPattern } from '../../journal/request-pattern.js';
import type { Effect } from './effect.js';

/** A rule as it is added. */
export interface NewFaultRule {
  readonly match: RequestPattern & {
    /** Values by name in lower case; `*` matches every value. */
    readonly headers?: Readonly<Record<string, string>>;
    /** The number of a connection of one app to one stream, counted from 1 since the rule was added. */
    readonly connection?: number;
  };
  /** From 0 to 1. */
  readonly probability: number;
  /** The number of matching requests that are left alone first. */
  readonly after: number;
  /** The number of requests that it affects; undefined without a bound. */
  readonly count: number | undefined;
  readonly effect: Effect;
}

/** A rule with its id and counts. */
export interface FaultRule extends NewFaultRule {
  readonly id: number;
  /** The matching requests so far, and the affected ones among them. */
  readonly matched: number;
  readonly applied: number;
}

/** A request that rules may affect. */
export interface FaultedRequest extends MatchedRequest {
  readonly headers: IncomingHttpHeaders;
  /** Connects to a stream. */
  readonly isStream: boolean;
  /** Another request carries it. */
  readonly isCarried: boolean;
}

/** An effect on one request. */
export interface ChosenFault {
  /** Names the rule or the header. */
  readonly source: string;
  readonly effect: Effect;
  /** For drawn delays. */
  readonly random: Random;
}

/** More rules would slow down every request. */
export const MAX_RULES = 1_000;

interface Kept extends NewFaultRule {
  readonly id: number;
  readonly matches: (request: MatchedRequest) => boolean;
  readonly random: Random;
  /** The connections so far, by app and stream. */
  readonly connections: Map<string, number>;
  matched: number;
  applied: number;
}

/** The fault rules of a sandbox (docs/sandbox.md#faults). The same seed and requests draw the same faults. */
export class FaultRules {
  #rules: Kept[] = [];
  #lastId = 0;

  constructor(private seed: number) {}

  /** Adds a rule, after the others. */
  add(rule: NewFaultRule): FaultRule {
    this.#lastId += 1;
    const id = this.#lastId;
    const random = seededRandom(this.seed, id);
    const matches = patternMatcher(rule.match);
    const kept: Kept = { ...rule, id, matches, random, connections: new Map(), matched: 0, applied: 0 };
    this.#rules.push(kept);
    return kept;
  }

  list(): readonly FaultRule[] {
    return this.#rules;
  }

  get(id: number): FaultRule | undefined {
    return this.#rules.find((rule) => rule.id === id);
  }

  /** Returns false if there is no such rule. */
  remove(id: number): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((rule) => rule.id !== id);
    return this.#rules.length < before;
  }

  /** Removes all rules and returns their number. */
  clear(): number {
    return this.#rules.splice(0).length;
  }

  /** Removes all rules, counts ids from 1 again and draws from another seed. */
  restart(seed: number): void {
    this.clear();
    this.#lastId = 0;
    this.seed = seed;
  }

  /** True if a rule selects requests by their senders. */
  get selectsSenders(): boolean {
    return this.#rules.some(({ match: { app, userId } }) => app !== undefined || userId !== undefined);
  }

  /**
   * Returns the effect of the first rule that affects a request. Counts it in every rule that it reaches, and a
   * connection in every rule that asks for one.
   */
  choose(request: FaultedRequest): ChosenFault | undefined {
    if (request.isStream) for (const each of this.#rules) countConnection(each, request);
    const rule = this.#rules.find((each) => affects(each, request));
    return rule && { source: `rule ${rule.id}`, effect: rule.effect, random: rule.random };
  }
}

function affects(rule: Kept, request: FaultedRequest): boolean {
  const { match, probability, after, count = Infinity } = rule;
  if (!rule.matches(request) || !hasHeaders(request.headers, match.headers)) return false;
  // A rule for all requests affects the request that carries the call.
  if (request.isCarried && match.operation === undefined && match.path === undefined) return false;
  if (match.connection !== undefined && match.connection !== connectionOf(rule, request)) return false;
  rule.matched += 1;
  if (rule.matched <= after || rule.applied >= count) return false;
  if (probability < 1 && rule.random() >= probability) return false;
  rule.applied += 1;
  return true;
}

function countConnection(rule: Kept, request: FaultedRequest): void {
  if (rule.match.connection === undefined) return;
  rule.connections.set(streamOf(request), (connectionOf(rule, request) ?? 0) + 1);
}

/** Returns the number of a request among the connections of its app to its stream; undefined if it is none. */
function connectionOf({ connections }: Kept, request: FaultedRequest): number | undefined {
  return request.isStream ? connections.get(streamOf(request)) : undefined;
}

function streamOf({ operation, app }: FaultedRequest): string {
  return `${app?.id ?? ''} ${operation}`;
}

function hasHeaders(sent: IncomingHttpHeaders, wanted: Readonly<Record<string, string>> = {}): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const found = sent[name];
    return found !== undefined && (value === '*' || String(found) === value);
  });
}
