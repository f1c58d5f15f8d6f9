import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { StorageLog } from '../database/storage-log.js';
import type { Pipit } from '../server/start.js';
import type { Opening } from './contents/contents.js';
import { doCausedWork } from './due-work.js';
import type { Pauses } from './faults/pauses.js';

/** How long requests may take to end before the server is replaced under them. */
const ENDING_MS = 2_000;

interface CurrentServerDeps {
  /** Builds a server and starts its background work, unless there is a seed; it does not listen. */
  build(opening: Opening, seed: number | undefined): Promise<Pipit>;
  readonly log: StorageLog;
  readonly pauses: Pick<Pauses, 'endAll'>;
}

/**
 * The server behind a sandbox, which may be replaced while clients are connected. With a seed, each request is followed
 * by the work that it caused, and later requests wait for that: the order of everything is that of the requests.
 */
export class CurrentServer {
  /** The requests under way, each with its end. */
  readonly #running = new Map<ServerResponse, Promise<void>>();
  /** What operations of the sandbox do on the server; resolves when it has ended. */
  readonly #uses = new Set<Promise<unknown>>();
  /** Resolves when requests may go on; absent while nothing holds them. */
  #held: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** True if a request has ended since its work was last done. */
  #hasCaused = false;
  /** How much exclusive work runs or waits. */
  #turns = 0;

  private constructor(
    private readonly deps: CurrentServerDeps,
    private current: { readonly pipit: Pipit; readonly seed: number | undefined },
  ) {}

  static async start(
    deps: CurrentServerDeps,
    opening: Opening,
    seed: number | undefined,
  ): Promise<CurrentServer> {
    return new CurrentServer(deps, { pipit: await deps.build(opening, seed), seed });
  }

  get pipit(): Pipit {
    return this.current.pipit;
  }

  /** The seed of ids, times and drawn values; undefined if they are not repeatable. */
  get seed(): number | undefined {
    return this.current.seed;
  }

  /** Passes a request to the server, after a replacement that is under way. */
  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    while (this.#held) await this.#held;
    if (response.closed) return;
    const ended = new Promise<void>((resolve) => {
      response.once('close', () => {
        this.#running.delete(response);
        resolve();
        if (this.seed !== undefined) this.#finishCausedWork();
      });
    });
    this.#running.set(response, ended);
    this.pipit.app.receive(request, response);
  }

  /**
   * Runs `work` on the server, after a replacement that is under way; the next replacement waits for it as for requests.
   * `work` must not wait for `exclusive`.
   */
  async use<T>(work: () => Promise<T>): Promise<T> {
    while (this.#held) await this.#held;
    const running = work();
    const ended = running.then(ignore, ignore);
    this.#uses.add(ended);
    return running.finally(() => this.#uses.delete(ended));
  }

  /** Runs `work` when no other such work runs: changes of a sandbox happen one after the other. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    this.#turns += 1;
    const running = this.#turn.then(work).finally(() => {
      this.#turns -= 1;
    });
    this.#turn = running.catch(ignore);
    return running;
  }

  /**
   * Ends the server with its streams and background work, and builds another on what `restore` leaves. Requests under
   * way have two seconds to end; those that arrive meanwhile wait. Call it in `exclusive`.
   */
  replace(restore: () => Promise<Opening>, seed: number | undefined): Promise<void> {
    const replace = async (): Promise<void> => {
      await this.#end();
      this.current = { pipit: await this.deps.build(await restore(), seed), seed };
    };
    return this.holding(replace);
  }

  /** Runs `work` while no server uses the database, and builds the server again. Call it in `exclusive`. */
  async offline<T>(work: (earlier: Pipit) => Promise<T>): Promise<T> {
    const earlier = this.pipit;
    let result: Promise<T> | undefined;
    await this.replace(async () => {
      result = work(earlier);
      await result;
      return {};
    }, this.seed);
    return result as Promise<T>;
  }

  /** Lets requests wait while `work` runs. */
  holding<T>(work: () => Promise<T>): Promise<T> {
    const running = work();
    const ended = Promise.allSettled([this.#held, running]).then(() => {
      if (this.#held === ended) this.#held = undefined;
    });
    this.#held = ended;
    return running;
  }

  #finishCausedWork(): void {
    this.#hasCaused = true;
    // A movement of the clock does it too, and may wait for requests of a webhook's receiver.
    if (this.#turns > 0) return;
    const { pipit } = this;
    const work = async (): Promise<void> => {
      try {
        while (this.#hasCaused) {
          this.#hasCaused = false;
          await doCausedWork(pipit);
        }
      } catch (err) {
        this.deps.log.warn({ err }, 'work after a request was not done');
      }
    };
    // Sending holds nothing: receivers may send requests.
    void this.holding(() => this.exclusive(work)).then(() => pipit.webhooks.deliverDue());
  }

  /** Ends the streams and the injected delays of the server. */
  endWaits(): void {
    this.deps.pauses.endAll();
    this.pipit.app.endStreams();
  }

  /** Ends streams, waits for requests under way, and closes the server. Idempotent. */
  close(): Promise<void> {
    return this.exclusive(() => this.#end());
  }

  async #end(): Promise<void> {
    this.endWaits();
    const ends = [...this.#running.values(), ...this.#uses];
    if (ends.length > 0) await Promise.race([Promise.all(ends), pause(ENDING_MS, undefined, { ref: false })]);
    for (const response of this.#running.keys()) response.destroy();
    // A receiver may take ten seconds.
    this.pipit.webhooks.abandon();
    await this.pipit.close();
  }
}

function ignore(): void {
  // The caller gets the error.
}
