import type { Clock } from '../../core/clock.js';
import type { WebhookId } from '../../core/ids.js';
import { createLoop } from '../../core/loop.js';
import type { Timers } from '../../core/timers.js';
import type { Engine } from '../../database/engine.js';
import type { StorageLog } from '../../database/storage-log.js';
import {
  endEmptyLane,
  endLanes,
  listDueLanes,
  listWaiting,
  recordDelivered,
  recordFailed,
  type Attempt,
  type Delivery,
  type Lane,
} from '../../stores/webhook-deliveries.js';
import { findWebhook, updateWebhookState } from '../../stores/webhooks.js';
import { backoffMs } from '../jobs/backoff.js';
import type { Vault } from '../secrets/vault.js';
import type { DispatchLease } from './dispatch-lease.js';
import type { Outgoing } from './outgoing/outgoing.js';
import { findApiSecret, sign } from './signature.js';

/** How many lanes are worked on at once, in all and of one webhook, so that a slow one leaves room for others. */
const MAX_LANES = 64;
const MAX_LANES_OF_ONE = 8;

/** How many due lanes are looked at. */
const LISTED_LANES = 500;

/** How many deliveries of a lane are read at once. */
const BATCH = 20;

/** The interval at which due lanes are looked for, beside those just stored. */
const POLL_MS = 1_000;

/** A delivery that fails for this time makes its webhook invalid. */
const GIVE_UP_MS = 24 * 3_600_000;

export interface DelivererDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: StorageLog;
  readonly vault: Vault;
  readonly lease: DispatchLease;
  readonly outgoing: Outgoing;
  readonly timers?: Timers;
  readonly random?: () => number;
}

/**
 * Sends stored deliveries: those of a lane one after the other, lanes side by side (docs/design/webhooks.md#delivery).
 */
export class Deliverer {
  readonly #deps: DelivererDeps;
  /** The lanes at work. */
  readonly #busy = new Map<string, { readonly webhookId: WebhookId; readonly ended: Promise<void> }>();
  readonly #loop;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
    this.#loop = createLoop({
      work: () => this.#begin(),
      onError: (err) => deps.log.warn({ err }, 'deliveries to webhooks could not be read'),
      everyMs: POLL_MS,
      timers: deps.timers,
    });
  }

  /** Looks for due lanes every second, while this process has the lease. */
  start(): void {
    this.#loop.start();
  }

  /** Looks for due lanes now. */
  wake(): void {
    this.#loop.wake();
  }

  /** Delivers what is due until nothing is, without `start`. */
  async runDue(): Promise<void> {
    for (;;) {
      await this.#begin();
      if (this.#busy.size === 0) return;
      await Promise.all([...this.#busy.values()].map(({ ended }) => ended));
    }
  }

  /** Resolves after the requests that are under way. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await Promise.all([...this.#busy.values()].map(({ ended }) => ended));
  }

  async #begin(): Promise<void> {
    const { engine, clock, lease } = this.#deps;
    if (!lease.isHeld() || this.#busy.size >= MAX_LANES) return;
    for (const lane of await listDueLanes(engine, clock(), LISTED_LANES)) {
      const { webhookId, subscription } = lane;
      const key = `${webhookId} ${subscription}`;
      if (this.#busy.size >= MAX_LANES) return;
      if (this.#busy.has(key) || this.#lanesOf(webhookId) >= MAX_LANES_OF_ONE) continue;
      const ended = this.#work(lane)
        .catch((err: unknown) => this.#deps.log.warn({ err }, 'a delivery to a webhook was not recorded'))
        .finally(() => {
          this.#busy.delete(key);
          this.wake();
        });
      this.#busy.set(key, { webhookId, ended });
    }
  }

  #lanesOf(webhookId: WebhookId): number {
    return [...this.#busy.values()].filter((each) => each.webhookId === webhookId).length;
  }

  /** Delivers what waits in a lane, up to the first failure. */
  async #work(lane: Lane): Promise<void> {
    let { failures, failingSinceMs } = lane;
    while (this.#mayGoOn()) {
      const waiting = await listWaiting(this.#deps.engine, lane, BATCH);
      if (waiting.length === 0) {
        return this.#deps.engine.tx('end lane', (tx) => endEmptyLane(tx, lane));
      }
      const send = await this.#sender(lane.webhookId);
      if (send === undefined) return;
      for (const delivery of waiting) {
        if (!this.#mayGoOn()) return;
        const attempt = await send(delivery.body);
        if (!isSuccess(attempt)) {
          return this.#fail({ ...lane, failures, failingSinceMs }, delivery, attempt);
        }
        await this.#deps.engine.tx('record delivery', (tx) => recordDelivered(tx, delivery, attempt));
        failures = 0;
        failingSinceMs = undefined;
      }
    }
  }

  #mayGoOn(): boolean {
    return this.#deps.lease.isHeld() && !this.#loop.isStopped();
  }

  /** Returns a function that posts to a webhook; undefined after ending the lanes of one that receives nothing. */
  async #sender(webhookId: WebhookId): Promise<((body: string) => Promise<Attempt>) | undefined> {
    const { engine, clock, outgoing } = this.#deps;
    const webhook = await findWebhook(engine, webhookId);
    const secret = webhook?.isValid === true ? await findApiSecret(this.#deps, webhook.appId) : undefined;
    if (webhook === undefined || secret === undefined) {
      await engine.tx('end lanes', (tx) => endLanes(tx, webhookId, clock()));
      return undefined;
    }
    return async (body) => {
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'x-twitter-webhooks-signature': sign(secret, body),
      };
      const answer = await outgoing({ method: 'POST', url: webhook.url, headers, body });
      const atMs = clock();
      return answer.kind === 'answered' ? { atMs, status: answer.status } : { atMs, error: answer.error };
    };
  }

  /** Records a failure. After a day of failures the webhook becomes invalid. */
  async #fail(lane: Lane, delivery: Delivery, attempt: Attempt): Promise<void> {
    const { engine, random = Math.random } = this.#deps;
    const { failures, failingSinceMs = attempt.atMs } = lane;
    const dueAtMs = attempt.atMs + backoffMs(failures + 1, random);
    await engine.tx('record failed delivery', async (tx) => {
      await recordFailed(tx, delivery, attempt, dueAtMs);
      if (attempt.atMs - failingSinceMs < GIVE_UP_MS) return;
      const webhook = await findWebhook(tx, lane.webhookId);
      if (webhook === undefined) return;
      const invalidReason = 'A delivery failed for a day.';
      await updateWebhookState(tx, webhook.id, { ...webhook, isValid: false, invalidReason });
      await endLanes(tx, webhook.id, attempt.atMs);
    });
  }
}

function isSuccess({ status = 0 }: Attempt): boolean {
  return status >= 200 && status < 300;
}
