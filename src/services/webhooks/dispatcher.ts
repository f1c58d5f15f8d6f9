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
 */
export class Dispatcher {
  readonly #deps: DispatchDeps;
  #following: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;

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
    this.#following?.stop.abort();
    await this.#following?.ended;
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
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const after = await this.#position();
    if (after === undefined || signal.aborted) return;
    await this.#deps.engine.feed.subscribe({ after, signal }, (entries) => this.#handle(entries));
  }

  /** Returns where to read on; the present if the stored position has expired. */
  async #position(): Promise<bigint | undefined> {
    const { engine, lease, log } = this.#deps;
    const stored = await findDispatchPosition(engine);
    if (stored === undefined) return undefined;
    try {
      await engine.feed.read(stored, 1);
      return stored;
    } catch (error) {
      if (!(error instanceof FeedExpired)) throw error;
      const present = await engine.feed.position();
      log.warn({ position: String(stored) }, 'webhooks missed events that the feed does not hold any more');
      await engine.tx('advance webhooks', (tx) => advanceDispatch(tx, lease.holder, present));
      return present;
    }
  }

  async #handle(entries: readonly FeedEntry[]): Promise<void> {
    const { engine, clock, lease, onStored } = this.#deps;
    const last = entries.at(-1);
    if (last === undefined) return;
    const deliveries = (await hasValidWebhooks(engine)) ? await this.#deliveriesFor(entries) : [];
    await engine.tx('dispatch to webhooks', async (tx) => {
      if (!(await advanceDispatch(tx, lease.holder, last.position))) throw new DispatchLost('lost the lease');
      const valid = await validAmong(tx, [...new Set(deliveries.map(({ webhookId }) => webhookId))]);
      const createdAtMs = clock();
      const added = deliveries.filter(({ webhookId }) => valid.has(webhookId));
      await addDeliveries(
        tx,
        added.map((delivery) => ({ ...delivery, createdAtMs, isCopy: false })),
      );
    });
    if (deliveries.length > 0) onStored();
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
