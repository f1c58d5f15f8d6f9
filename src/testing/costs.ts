import type { Connection } from './connection.js';

/** What an app has spent, in dollars. */
export interface AppCosts {
  readonly app: { readonly id: string; readonly name: string };
  readonly total: number;
  /** Null for an app without a budget. */
  readonly budget: number | null;
  readonly items: readonly { readonly price: string; readonly count: number; readonly cost: number }[];
}

/** Dollars by the name of a price, such as `post_create` (docs/sandbox.md#costs). */
export type Prices = Readonly<Record<string, number>>;

/** How much an app may spend, in dollars. */
export interface Budget {
  /** The id or the name of an app; by default the first one. */
  readonly app?: string;
  /** Includes what is spent already; without it, the app has no budget. */
  readonly limit?: number;
}

export type Costs = ReturnType<typeof createCosts>;

/** Creates the control of costs, prices and budgets. */
export function createCosts({ control }: Connection) {
  const setBudget = (budget: Budget) => control<readonly AppCosts[]>('PUT', '/budget', { body: budget });
  return {
    /** Returns what the apps have spent. */
    list: () => control<readonly AppCosts[]>('GET', '/costs'),
    prices: () => control<Prices>('GET', '/prices'),
    /** Changes the given prices, for later requests. */
    setPrices: (prices: Prices) => control<Prices>('PUT', '/prices', { body: prices }),
    setBudget,
    /** Takes all money from an app: its next request with a price gets 402. */
    exhaust: (app?: string) => setBudget({ app, limit: 0 }),
  };
}
