import { conflict, invalidRequest, resourceNotFound } from '../core/errors.js';
import { createSignal } from '../core/loop.js';
import type { ClockState, SandboxClock } from './clock.js';
import type { StoredCopy } from './contents/contents.js';
import type { OpenContents } from './contents/open-contents.js';
import type { CurrentServer } from './current-server.js';
import { doDeferredWork, finishLoading } from './due-work.js';
import { loadDocument } from './load-document.js';
import type { Added } from '../world/pass.js';
import { requireTime, timeText } from './times.js';

/** A state to which a sandbox can return. */
export interface State {
  readonly copy: StoredCopy;
  readonly clock: ClockState;
  /** No post is newer, and the clock of a reset may not be set before it. */
  readonly earliestMs: number;
}

/** A state that was kept under a name. */
export interface NamedState extends State {
  readonly name: string;
  /** By the clock of the sandbox. */
  readonly createdAtMs: number;
  readonly seed: number | undefined;
}

/** Each one in memory takes as much as the database. */
const MAX_NAMED = 100;

export interface ResetOptions {
  /** Freezes the clock, so that the same requests get the same ids and times; by default that of the last reset. */
  readonly seed?: number;
  /** The time at which the clock is frozen; by default the one of the start. */
  readonly timeMs?: number;
}

interface StatesDeps {
  readonly server: CurrentServer;
  readonly contents: Pick<OpenContents, 'copy' | 'empty' | 'isOffline'>;
  readonly clock: SandboxClock;
  /** The state after the start. */
  readonly base: State;
}

/** The states of a sandbox: the one to which a reset returns, and those with a name. */
export class States {
  /** Notified after each reset: parts of the sandbox forget what happened before. */
  readonly resets = createSignal();
  readonly #named = new Map<string, NamedState>();
  #base: State;

  constructor(private readonly deps: StatesDeps) {
    this.#base = deps.base;
  }

  /** The seed of ids and drawn values; undefined if they are not repeatable. */
  get seed(): number | undefined {
    return this.deps.server.seed;
  }

  /** Returns to the loaded world. Throws a 400 for a time before its newest post. */
  reset({ seed = this.seed, timeMs }: ResetOptions = {}): Promise<void> {
    const { server } = this.deps;
    return server.exclusive(async () => {
      const clock = this.#startOf(seed, timeMs);
      await this.#restore({ ...this.#base, clock }, seed);
      this.resets.notify();
    });
  }

  /** Adds a world document to the present state. Throws a 400 with every fault. */
  load(document: unknown): Promise<Added> {
    const { server } = this.deps;
    return server.exclusive(() => loadDocument(server.pipit, document));
  }

  /**
   * Replaces everything by a world document, to which resets return from then on. Throws as `load` does, and leaves the
   * present state then.
   */
  become(document: unknown): Promise<Added> {
    const { server, clock, contents } = this.deps;
    return server.exclusive(() =>
      server.holding(async () => {
        const before = { copy: await this.#copy(), clock: clock.state() };
        const { seed } = this;
        try {
          const start = seed === undefined ? this.#base.clock : seededStart(0);
          await this.#restore({ copy: contents.empty(), clock: start }, seed);
          const added = await loadDocument(server.pipit, document);
          await this.#takeBase(seed);
          return added;
        } catch (error) {
          await this.#restore(before, seed);
          throw error;
        } finally {
          await before.copy.discard();
        }
      }),
    );
  }

  /** Makes the present state the one to which resets return. */
  async #takeBase(seed: number | undefined): Promise<void> {
    const { server } = this.deps;
    const earlier = this.#base;
    const earliestMs = await finishLoading(server.pipit);
    const copy = await this.#copy();
    const clock = seed === undefined ? earlier.clock : seededStart(earliestMs);
    this.#base = { copy, earliestMs, clock };
    await this.#restore(this.#base, seed);
    this.resets.notify();
    await earlier.copy.discard();
  }

  /** Lists the named states, oldest first. */
  list(): readonly NamedState[] {
    return [...this.#named.values()];
  }

  /** Keeps the present state. Throws a 409 for a name in use, or beyond 100 names. */
  keep(name: string): Promise<NamedState> {
    const { server, clock } = this.deps;
    return server.exclusive(async () => {
      if (this.#named.has(name)) throw conflict(`There is a snapshot ${name}: delete it first.`);
      if (this.#named.size >= MAX_NAMED)
        throw conflict(`There are ${MAX_NAMED} snapshots: delete one first.`);
      await doDeferredWork(server.pipit);
      const taken = { clock: clock.state(), createdAtMs: clock.now(), earliestMs: 0, seed: this.seed };
      const state = { ...taken, name, copy: await this.#copy() };
      this.#named.set(name, state);
      return state;
    });
  }

  /** Returns to a named state, with the clock of that moment. Throws a 404 for an unknown name. */
  restore(name: string): Promise<NamedState> {
    return this.deps.server.exclusive(async () => {
      const state = this.#require(name);
      await this.#restore(state, state.seed);
      return state;
    });
  }

  /** Deletes a named state. Throws a 404 for an unknown name. */
  discard(name: string): Promise<NamedState> {
    return this.deps.server.exclusive(async () => {
      const state = this.#require(name);
      this.#named.delete(name);
      await state.copy.discard();
      return state;
    });
  }

  async #copy(): Promise<StoredCopy> {
    const { server, contents } = this.deps;
    if (!contents.isOffline) return contents.copy(server.pipit.backend);
    return server.offline(({ backend }) => contents.copy(backend));
  }

  #require(name: string): NamedState {
    const state = this.#named.get(name);
    if (state) return state;
    throw resourceNotFound({ resourceType: 'snapshot', parameter: 'name', value: name });
  }

  #startOf(seed: number | undefined, timeMs: number | undefined): ClockState {
    const { clock, earliestMs } = this.#base;
    if (timeMs !== undefined) requireTime(timeMs);
    if (timeMs !== undefined && timeMs < earliestMs) {
      const message = `The world has posts up to ${timeText(earliestMs)}: reset to that time or a later one`;
      throw invalidRequest('time', [timeText(timeMs)], message);
    }
    if (timeMs !== undefined) return { mode: 'frozen', timeMs };
    return seed === undefined || clock.mode === 'frozen' ? clock : seededStart(earliestMs);
  }

  /** Returns to a state, or to the loaded world if that fails: then it throws, and requests are still answered. */
  async #restore(state: Pick<State, 'copy' | 'clock'>, seed: number | undefined): Promise<void> {
    try {
      await this.#replaceBy(state, seed);
    } catch (error) {
      await this.#replaceBy(this.#base, seed);
      throw error;
    }
  }

  async #replaceBy({ copy, clock }: Pick<State, 'copy' | 'clock'>, seed: number | undefined): Promise<void> {
    await this.deps.server.replace(async () => {
      const opening = await copy.restore();
      this.deps.clock.restore(clock);
      return opening;
    }, seed);
  }
}

/** The time at which the clock of a seeded sandbox is frozen, unless its world has later posts. */
const SEEDED_START_MS = Date.UTC(2026, 0, 1);

/** Returns the clock of a seeded sandbox whose world has no posts after `earliestMs`. */
export function seededStart(earliestMs: number): ClockState {
  return { mode: 'frozen', timeMs: Math.max(SEEDED_START_MS, earliestMs) };
}
