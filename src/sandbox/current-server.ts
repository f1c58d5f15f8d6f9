import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pipit } from '../server/start.js';
import type { Opening } from './contents/contents.js';

/** How long requests may take to end before the server is replaced under them. */
const ENDING_MS = 2_000;

interface CurrentServerDeps {
  /** Builds a server and starts its background work; it does not listen. */
  build(opening: Opening): Promise<Pipit>;
}

/** The server behind a sandbox, which may be replaced while clients are connected. */
export class CurrentServer {
  readonly #running = new Set<ServerResponse>();
  /** Resolves when requests may go on; absent while nothing holds them. */
  #held: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #pipit: Pipit;

  private constructor(
    private readonly deps: CurrentServerDeps,
    pipit: Pipit,
  ) {
    this.#pipit = pipit;
  }

  static async start(deps: CurrentServerDeps, opening: Opening): Promise<CurrentServer> {
    return new CurrentServer(deps, await deps.build(opening));
  }

  get pipit(): Pipit {
    return this.#pipit;
  }

  /** Passes a request to the server, after a replacement that is under way. */
  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    while (this.#held) await this.#held;
    if (response.closed) return;
    this.#running.add(response);
    response.once('close', () => this.#running.delete(response));
    this.#pipit.app.receive(request, response);
  }

  /** Runs `work` when no other such work runs: changes of a sandbox happen one after the other. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#turn.then(work);
    this.#turn = running.catch(() => undefined);
    return running;
  }

  /**
   * Ends the server with its streams and background work, and builds another on what `restore` leaves. Requests under
   * way have two seconds to end; those that arrive meanwhile wait. Call it in `exclusive`.
   */
  replace(restore: () => Promise<Opening>): Promise<void> {
    const replacing = this.#replace(restore);
    const ended = replacing.then(ignore, ignore);
    this.#held = ended;
    void ended.then(() => {
      this.#held = undefined;
    });
    return replacing;
  }

  async #replace(restore: () => Promise<Opening>): Promise<void> {
    await this.close();
    this.#pipit = await this.deps.build(await restore());
  }

  /** Ends the streams of the server. */
  endStreams(): void {
    this.#pipit.app.endStreams();
  }

  /** Ends streams, waits for requests under way, and closes the server. Idempotent. */
  async close(): Promise<void> {
    this.endStreams();
    const ends = [...this.#running].map((response) => once(response, 'close'));
    if (ends.length > 0) await Promise.race([Promise.all(ends), pause(ENDING_MS, undefined, { ref: false })]);
    for (const response of this.#running) response.destroy();
    await this.#pipit.close();
  }
}

function ignore(): void {
  // The caller gets the error; held requests only wait for the end.
}
