import { PipitError } from '../../core/errors.js';
import type { AppId } from '../../core/ids.js';
import { usageDay } from '../../core/usage-period.js';
import { PRICES, type PriceName, type PriceSheet } from './prices.js';

/** What an app has paid under one price. */
interface CostItem {
  readonly price: PriceName;
  /** The paid requests or resources. */
  readonly count: number;
  /** In dollars. */
  readonly cost: number;
}

/** What an app has paid, and its budget. */
export interface AppCosts {
  readonly appId: AppId;
  /** In dollars. */
  readonly total: number;
  /** In dollars; undefined without one. */
  readonly budget: number | undefined;
  readonly items: readonly CostItem[];
}

/** What an app pays for. */
export interface Charge {
  readonly appId: AppId;
  readonly price: PriceName;
  /** The resources, of which each is paid once a day; absent for a price per request. */
  readonly resources?: readonly string[];
  readonly nowMs: number;
}

/** Sums are of whole millionths of a dollar: fractions of a binary number would not add up. */
const MICROS = 1_000_000;

interface Account {
  day: number;
  /** The resources paid on that day. */
  readonly paid: Set<string>;
  readonly counts: Map<PriceName, { count: number; micros: number }>;
  budgetMicros: number | undefined;
}

/** What the apps of a sandbox pay (docs/sandbox.md#costs). */
export class Costs {
  readonly #accounts = new Map<AppId, Account>();
  #prices: PriceSheet = PRICES;

  /** In dollars. */
  get prices(): PriceSheet {
    return this.#prices;
  }

  /** Changes the given prices, for later requests. */
  setPrices(changes: Partial<PriceSheet>): void {
    this.#prices = { ...this.#prices, ...changes };
  }

  /** Sets how much an app may spend in all, in dollars; undefined removes the bound. */
  setBudget(appId: AppId, dollars: number | undefined): void {
    this.#accountOf(appId).budgetMicros = dollars === undefined ? undefined : Math.round(dollars * MICROS);
  }

  /** Throws 'credits-depleted' if an app has spent its budget. */
  requireCredits(appId: AppId): void {
    const account = this.#accounts.get(appId);
    if (account?.budgetMicros === undefined || spentOf(account) < account.budgetMicros) return;
    throw new PipitError({ code: 'credits-depleted', accountId: String(appId) });
  }

  /** Charges an app. Returns the cost in dollars. */
  charge({ appId, price, resources, nowMs }: Charge): number {
    const account = this.#accountOf(appId);
    const units = resources === undefined ? 1 : addPaid(account, resources, usageDay(nowMs));
    const micros = units * Math.round(this.#prices[price] * MICROS);
    const before = account.counts.get(price) ?? { count: 0, micros: 0 };
    if (units > 0) account.counts.set(price, { count: before.count + units, micros: before.micros + micros });
    return micros / MICROS;
  }

  /** Returns the costs of every app that has paid or has a budget. */
  list(): AppCosts[] {
    return [...this.#accounts].map(([appId, account]) => ({
      appId,
      total: spentOf(account) / MICROS,
      budget: account.budgetMicros === undefined ? undefined : account.budgetMicros / MICROS,
      items: [...account.counts].map(([price, { count, micros }]) => ({
        price,
        count,
        cost: micros / MICROS,
      })),
    }));
  }

  /** Forgets all costs, budgets and changed prices. */
  restart(): void {
    this.#accounts.clear();
    this.#prices = PRICES;
  }

  #accountOf(appId: AppId): Account {
    const known = this.#accounts.get(appId);
    if (known) return known;
    const created = { day: 0, paid: new Set<string>(), counts: new Map(), budgetMicros: undefined };
    this.#accounts.set(appId, created);
    return created;
  }
}

function spentOf({ counts }: Account): number {
  return [...counts.values()].reduce((sum, { micros }) => sum + micros, 0);
}

/** Remembers the resources that are paid. Returns how many were not paid on that day before. */
function addPaid(account: Account, resources: readonly string[], day: number): number {
  if (account.day !== day) account.paid.clear();
  account.day = day;
  const before = account.paid.size;
  for (const resource of resources) account.paid.add(resource);
  return account.paid.size - before;
}
