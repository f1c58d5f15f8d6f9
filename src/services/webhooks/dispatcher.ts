import type { Clock } from '../../core/clock.js';
import { NamedError } from '../../core/named-error.js';
import type { Engine } from '../../database/engine.js';
import { FeedExpired, type FeedEntry } from '../../database/feed.js';
import type { StorageLog } from '../../database/storage-log.js';
import { addDeliveries } from '../../stores/webhook-deliveries.js';
import { advanceDispatch, findDispatchPosition } from '../../stores/webhook-dispatch.js';
import { hasValidWebhooks, validAmong } from '../../stores/webhooks.js';
import type { DispatchLease } from './dispatch-lease.js';
import type { NewDelivery, WebhookProducer } from './producer.js';

export interface DispatchDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: StorageLog;
  readonly lease: DispatchLease;
  readonly producers: readonly WebhookProducer[];
  /** Called after deliveries were stored. */
  readonly onStored: () => void;
}

/** Another process dispatches. */
class DispatchLost extends NamedError {}

/**
 * Turns what happened into deliveries. They are stored together with the position up to which the feed was read, so
 * that each entry has its deliveries exactly once, whatever process read it (docs/design/webhooks.md#dispatch).
 * Entries without deliveries are not worth a transaction each: `keep` stores their position.
 */
export class Dispatcher {
  readonly #deps: DispatchDeps;
  #following: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  /** The feed has been handled up to this position. */
  #handled: bigint | undefined;
  #stored: bigint | undefined;

  constructor(deps: DispatchDeps) {
    this.#deps = deps;
  }

  /** Follows the feed until `stop`. Does nothing if it follows already. */
  follow(): void {
    if (this.#following !== undefined) return;
    const stop = new AbortController();
    const ended = this.#follow(stop.signal)
      .catch((error: unknown) => this.#report(error))
      .finally(() => {
        this.#following = undefined;
      });
    this.#following = { stop, ended };
  }

  /** Resolves after the entries at work are handled. */
  async stop(): Promise<void> {
    if (this.#following === undefined) return;
    this.#following.stop.abort();
    await this.#following.ended;
    await this.keep();
    this.#handled = undefined;
  }

  /** Stores how far the feed has been read, also where commits had no events. */
  async keep(): Promise<void> {
    const { engine, lease } = this.#deps;
    if (this.#handled === undefined || !lease.isHeld()) return;
    const page = await engine.feed.read(this.#handled);
    if (page.entries.length === 0 && page.position > this.#handled) this.#handled = page.position;
    const position = this.#handled;
    if (position === this.#stored) return;
    if (await engine.tx('advance webhooks', (tx) => advanceDispatch(tx, lease.holder, position))) {
      this.#stored = position;
    } else {
      // Deliveries may have been stored meanwhile, with a later position; otherwise another process has the lease.
      await lease.take();
    }
  }

  /** Handles all entries that there are, without following. */
  async runDue(): Promise<void> {
    const { feed } = this.#deps.engine;
    let after = await this.#position();
    for (let isFull = true; isFull && after !== undefined;) {
      const page = await feed.read(after);
      await this.#handle(page.entries);
      after = page.position;
      ({ isFull } = page);
    }
    await this.keep();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const after = await this.#position();
    if (after === undefined || signal.aborted) return;
    await this.#deps.engine.feed.subscribe({ after, signal, name: 'webhooks' }, (entries) =>
      this.#handle(entries),
    );
  }

  /** Returns where to read on; the present if the stored position has expired. */
  async #position(): Promise<bigint | undefined> {
    const { engine, log } = this.#deps;
    this.#stored = await findDispatchPosition(engine);
    this.#handled = this.#stored;
    if (this.#stored === undefined) return undefined;
    try {
      await engine.feed.read(this.#stored, 1);
    } catch (error) {
      if (!(error instanceof FeedExpired)) throw error;
      log.warn(
        { position: String(this.#stored) },
        'webhooks missed events that the feed does not hold any more',
      );
      this.#handled = await engine.feed.position();
      await this.keep();
    }
    return this.#handled;
  }

  async #handle(entries: readonly FeedEntry[]): Promise<void> {
    const last = entries.at(-1);
    if (last === undefined) return;
    const deliveries = (await hasValidWebhooks(this.#deps.engine)) ? await this.#deliveriesFor(entries) : [];
    if (deliveries.length > 0) await this.#store(deliveries, last.position);
    this.#handled = last.position;
  }

  async #store(deliveries: readonly NewDelivery[], position: bigint): Promise<void> {
    const { engine, clock, lease, onStored } = this.#deps;
    await engine.tx('dispatch to webhooks', async (tx) => {
      if (!(await advanceDispatch(tx, lease.holder, position))) throw new DispatchLost('lost the lease');
      const valid = await validAmong(tx, [...new Set(deliveries.map(({ webhookId }) => webhookId))]);
      const createdAtMs = clock();
      const added = deliveries.filter(({ webhookId }) => valid.has(webhookId));
      await addDeliveries(
        tx,
        added.map((delivery) => ({ ...delivery, createdAtMs, isCopy: false })),
      );
    });
    this.#stored = position;
    this.#handled = position;
    onStored();
  }

  async #deliveriesFor(entries: readonly FeedEntry[]): Promise<NewDelivery[]> {
    const { producers } = this.#deps;
    return (await Promise.all(producers.map((producer) => producer.deliveriesFor(entries)))).flat();
  }

  /** The next turn follows again, from the stored position. */
  #report(error: unknown): void {
    const { lease, log } = this.#deps;
    if (error instanceof DispatchLost) lease.lose();
    else log.warn({ err: error }, 'webhooks could not follow the feed; they will try again');
  }
}
