import type { ListId, StreamRuleId } from '../../../core/ids.js';
import type { StreamRule } from '../../../core/stream-rule.js';
import { eachLeaf } from '../../../query/ast.js';
import { readRule } from '../../../query/read-query.js';
import { selectionOf } from '../../../query/selection.js';
import { compileRule, type RuleTest } from './compile-rule.js';
import { keysOf, prefixKey } from './rule-keys.js';
import { rulePartOf } from './rule-leaves.js';
import type { RulePost } from './rule-post.js';

/** The rules of all apps with the same value. */
interface Entry {
  readonly test: RuleTest;
  /** The terms that the entry is filed under; undefined if it is tested on every post. */
  readonly keys: readonly string[] | undefined;
  readonly listIds: readonly ListId[];
  readonly rules: Map<StreamRuleId, StreamRule>;
  /** The number of the last post that it was tested on. */
  testedOn: number;
}

/** Longer rules than any that is stored, in code points. */
const MAX_LENGTH = 1_000_000;

/**
 * Finds the rules that match a post (docs/design/streams.md#matching). Rules are filed under terms of which a match must
 * have one, and only the rules filed under a post's terms are tested.
 */
export class RuleIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #filed = new Map<string, Set<Entry>>();
  readonly #always = new Set<Entry>();
  readonly #lists = new Map<ListId, number>();
  #posts = 0;

  /** Adds a rule. A value that is no longer valid, because the language has changed, matches nothing. */
  add(rule: StreamRule): void {
    const entry = this.#entries.get(rule.value) ?? this.#file(rule.value);
    entry.rules.set(rule.id, rule);
  }

  /** Removes a rule, if it is there. */
  remove({ id, value }: Pick<StreamRule, 'id' | 'value'>): void {
    const entry = this.#entries.get(value);
    if (entry === undefined || !entry.rules.delete(id) || entry.rules.size > 0) return;
    this.#entries.delete(value);
    for (const listId of entry.listIds) this.#countList(listId, -1);
    if (entry.keys === undefined) this.#always.delete(entry);
    for (const key of entry.keys ?? []) {
      const filed = this.#filed.get(key);
      filed?.delete(entry);
      if (filed?.size === 0) this.#filed.delete(key);
    }
  }

  /** Returns the Lists that rules name, for loading posts. */
  listIds(): ListId[] {
    return [...this.#lists.keys()];
  }

  /** Returns the rules that match a post, in no order. */
  match(post: RulePost): StreamRule[] {
    this.#posts += 1;
    const matching: StreamRule[] = [];
    this.#test(this.#always, post, matching);
    for (const term of post.terms) {
      this.#test(this.#filed.get(term), post, matching);
      if (mayHavePrefix(term)) this.#test(this.#filed.get(prefixOf(term)), post, matching);
    }
    return matching;
  }

  #test(entries: ReadonlySet<Entry> | undefined, post: RulePost, matching: StreamRule[]): void {
    if (entries === undefined) return;
    for (const entry of entries) {
      if (entry.testedOn === this.#posts) continue;
      entry.testedOn = this.#posts;
      if (entry.test(post)) matching.push(...entry.rules.values());
    }
  }

  #file(value: string): Entry {
    const entry = entryOf(value);
    this.#entries.set(value, entry);
    for (const listId of entry.listIds) this.#countList(listId, 1);
    if (entry.keys === undefined) this.#always.add(entry);
    for (const key of entry.keys ?? []) {
      const filed = this.#filed.get(key);
      if (filed === undefined) this.#filed.set(key, new Set([entry]));
      else filed.add(entry);
    }
    return entry;
  }

  #countList(listId: ListId, change: number): void {
    const count = (this.#lists.get(listId) ?? 0) + change;
    if (count === 0) this.#lists.delete(listId);
    else this.#lists.set(listId, count);
  }
}

const NEVER: Omit<Entry, 'rules'> = { test: () => false, keys: [], listIds: [], testedOn: 0 };

function entryOf(value: string): Entry {
  const reading = readRule(value, MAX_LENGTH);
  const selection = reading.ok ? selectionOf(reading.expression, rulePartOf) : undefined;
  if (!reading.ok || selection === undefined) return { ...NEVER, rules: new Map() };
  const listIds = new Set<ListId>();
  eachLeaf(reading.expression, (condition) => {
    if (condition.kind === 'list') listIds.add(condition.listId as ListId);
  });
  const keys = keysOf(selection)?.terms;
  return { test: compileRule(selection), keys, listIds: [...listIds], rules: new Map(), testedOn: 0 };
}

/** Reports whether a token is from a script that is searched by single characters too; ASCII is not. */
function mayHavePrefix(term: string): boolean {
  return term.charCodeAt(0) > 0x7f || term.includes(':');
}

function prefixOf(term: string): string {
  const start = term.indexOf(':') + 1;
  return prefixKey(term.slice(0, start) + String.fromCodePoint(term.codePointAt(start) ?? 0));
}
