import { setImmediate as turn } from 'node:timers/promises';
import { PipitError } from '../../core/errors.js';
import type { AppId, StreamRuleId } from '../../core/ids.js';
import { MAX_RULE_LENGTH } from '../../core/limits.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { StreamRule } from '../../core/stream-rule.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { readRule } from '../../query/read-query.js';
import type { Fault } from '../../query/fault.js';
import { lockApp } from '../../stores/locks.js';
import {
  countStreamRules,
  deleteStreamRules,
  insertStreamRules,
  listAllStreamRules,
  listStreamRules,
} from '../../stores/stream-rules.js';
import type { ServiceDeps } from '../service-deps.js';

/** The limits of one app's rules. */
export interface StreamRuleLimits {
  readonly maxRules: number;
  /** In code points. */
  readonly maxLength: number;
}

export type NewStreamRule = Pick<StreamRule, 'value' | 'tag'>;

/** A rule that was not added: `existingId` for a duplicate, `faults` for an invalid one. */
export type RefusedRule =
  | { readonly value: string; readonly existingId: StreamRuleId }
  | { readonly value: string; readonly faults: readonly Fault[] };

/** What was added, or would be. */
export interface AddedRules {
  readonly created: readonly StreamRule[];
  readonly refused: readonly RefusedRule[];
}

/** Which rules to delete. */
export type RuleChoice = 'all' | { readonly ids: readonly bigint[] } | { readonly values: readonly string[] };

export interface DeletedRules {
  readonly deleted: number;
  readonly notDeleted: number;
}

/** With `dryRun`, everything is checked and nothing is stored. */
interface Mode {
  readonly dryRun: boolean;
}

interface RuleDeps extends Pick<ServiceDeps, 'engine' | 'ids' | 'clock'> {
  readonly limits: StreamRuleLimits;
}

/** The rules of the filtered streams of apps (docs/api/streams.md#rules). */
export type StreamRuleService = ReturnType<typeof createStreamRuleService>;

export function createStreamRuleService(deps: RuleDeps) {
  const { engine, clock, limits } = deps;
  const within = <T>(name: string, { dryRun }: Mode, body: (db: Queryable, tx?: Tx) => Promise<T>) =>
    dryRun ? body(engine) : engine.tx(name, (tx) => body(tx, tx));
  return {
    limits,
    clock,
    /** Returns a page of the app's rules, oldest first. */
    page: (appId: AppId, request: PageRequest) => pageOfRules(engine, appId, request),
    /** Returns the app's rules with these ids, oldest first. */
    findAmong: async (appId: AppId, ids: readonly bigint[]): Promise<StreamRule[]> => {
      const wanted = new Set(ids);
      return (await listAllStreamRules(engine, appId)).filter(({ id }) => wanted.has(id));
    },
    count: (appId: AppId) => countStreamRules(engine, appId),
    /**
     * Adds the valid rules whose value the app does not have yet, and reports the others. Throws 'rule-cap-exceeded' and
     * adds nothing if the app would have too many rules.
     */
    add: async (appId: AppId, rules: readonly NewStreamRule[], mode: Mode): Promise<AddedRules> => {
      const faults = await faultsOf(rules, limits.maxLength);
      return within('add stream rules', mode, async (db, tx) => {
        if (tx) await lockApp(tx, appId);
        const stored = await listAllStreamRules(db, appId);
        const added = sortOut(deps, appId, rules, faults, stored);
        requireRoom(stored.length + added.created.length, limits);
        if (tx) await insertStreamRules(tx, added.created);
        return added;
      });
    },
    /** Deletes rules of the app. Unknown ids and values count as not deleted. */
    delete: (appId: AppId, choice: RuleChoice, mode: Mode): Promise<DeletedRules> =>
      within('delete stream rules', mode, async (db, tx) => {
        if (tx) await lockApp(tx, appId);
        const { rules, notDeleted } = chosen(await listAllStreamRules(db, appId), choice);
        if (tx)
          await deleteStreamRules(
            tx,
            rules.map(({ id }) => id),
          );
        return { deleted: rules.length, notDeleted };
      }),
  };
}

async function pageOfRules(
  db: Queryable,
  appId: AppId,
  { limit, cursor }: PageRequest,
): Promise<Page<StreamRule>> {
  const rows = await listStreamRules(db, appId, cursor?.position ?? -1n, limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length === items.length || last === undefined) return { items };
  return { items, next: { direction: 'next', position: last.id, extra: [] } };
}

/** The number of rules parsed before other requests get a turn: milliseconds of work. */
const RULES_PER_TURN = 50;

/** Returns the faults of a rule of any length up to the greatest that a server can allow. */
export function faultsOfRule(value: string): readonly Fault[] {
  const reading = readRule(value, MAX_RULE_LENGTH);
  return reading.ok ? [] : reading.faults;
}

/** Returns the faults of each rule, in their order. */
async function faultsOf(
  rules: readonly NewStreamRule[],
  maxLength: number,
): Promise<(readonly Fault[] | undefined)[]> {
  const faults: (readonly Fault[] | undefined)[] = [];
  for (const { value } of rules) {
    if (faults.length > 0 && faults.length % RULES_PER_TURN === 0) await turn();
    const reading = readRule(value, maxLength);
    faults.push(reading.ok ? undefined : reading.faults);
  }
  return faults;
}

/** Sorts rules into new, duplicate and invalid ones. Of equal values in one request, the first is new. */
function sortOut(
  { ids, clock }: Pick<RuleDeps, 'ids' | 'clock'>,
  appId: AppId,
  rules: readonly NewStreamRule[],
  faults: readonly (readonly Fault[] | undefined)[],
  stored: readonly StreamRule[],
): AddedRules {
  const idOf = new Map(stored.map(({ value, id }) => [value, id]));
  const created: StreamRule[] = [];
  const refused: RefusedRule[] = [];
  const createdAtMs = clock();
  for (const [index, { value, tag }] of rules.entries()) {
    const existingId = idOf.get(value);
    const wrong = faults[index];
    if (wrong !== undefined) refused.push({ value, faults: wrong });
    else if (existingId !== undefined) refused.push({ value, existingId });
    else {
      const id = ids.next<StreamRuleId>();
      idOf.set(value, id);
      created.push({ id, appId, value, tag, createdAtMs });
    }
  }
  return { created, refused };
}

function requireRoom(count: number, { maxRules }: StreamRuleLimits): void {
  if (count <= maxRules) return;
  const detail = `The app may have ${String(maxRules)} rules, and would have ${String(count)}.`;
  throw new PipitError({ code: 'rule-cap-exceeded', detail });
}

/** Returns the chosen rules, each once, and the number of ids or values that choose none. */
function chosen(
  stored: readonly StreamRule[],
  choice: RuleChoice,
): { readonly rules: readonly StreamRule[]; readonly notDeleted: number } {
  if (choice === 'all') return { rules: stored, notDeleted: 0 };
  const wanted = new Set<bigint | string>('ids' in choice ? choice.ids : choice.values);
  const rules = stored.filter(({ id, value }) => wanted.has('ids' in choice ? id : value));
  return { rules, notDeleted: wanted.size - rules.length };
}
