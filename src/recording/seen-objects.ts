import type { WireObject } from '../archive/wire-json.js';

/** The number of objects and edges that a recording keeps. */
const MAX_OBJECTS = 200_000;

/** Objects of one kind by key; members of newer sightings win, members that they lack stay. */
export class Seen {
  readonly #objects = new Map<string, WireObject>();

  constructor(private readonly budget: Budget) {}

  add(key: string, object: WireObject): void {
    const before = this.#objects.get(key);
    if (!before && !this.budget.take()) return;
    this.#objects.set(key, { ...before, ...object });
  }

  get(key: string): WireObject | undefined {
    return this.#objects.get(key);
  }

  values(): WireObject[] {
    return [...this.#objects.values()];
  }
}

/** Bounds the memory of a recording. */
export class Budget {
  /** The objects that were left out because there was no room. */
  refused = 0;
  #left: number;

  constructor(max = MAX_OBJECTS) {
    this.#left = max;
  }

  take(): boolean {
    if (this.#left === 0) this.refused += 1;
    else this.#left -= 1;
    return this.#left > 0 || this.refused === 0;
  }
}
