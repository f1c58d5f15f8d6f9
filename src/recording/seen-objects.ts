import type { WireObject } from '../archive/wire-json.js';

/** The number of objects and edges that a recording keeps. */
const MAX_OBJECTS = 200_000;

/** Objects of one kind by key; members of newer sightings win, members that they lack stay. */
export class Seen {
  readonly #objects = new Map<string, WireObject>();

  constructor(private readonly budget: Budget) {}

  /** Adds a sighting. Returns false if it shows nothing new, or if there is no room. */
  add(key: string, object: WireObject): boolean {
    const before = this.#objects.get(key);
    if (before ? isShownBy(before, object) : !this.budget.take()) return false;
    this.#objects.set(key, { ...before, ...object });
    return true;
  }

  get(key: string): WireObject | undefined {
    return this.#objects.get(key);
  }

  values(): WireObject[] {
    return [...this.#objects.values()];
  }

  entries(): IterableIterator<[key: string, object: WireObject]> {
    return this.#objects.entries();
  }
}

/** Reports whether an object has all members of a sighting, with the same values. */
function isShownBy(object: WireObject, sighting: WireObject): boolean {
  return Object.entries(sighting).every(
    ([name, value]) => object[name] === value || JSON.stringify(object[name]) === JSON.stringify(value),
  );
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
