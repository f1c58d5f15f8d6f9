import type { Clock } from '../../core/clock.js';
import type { WebhookId } from '../../core/ids.js';
import { createLoop } from '../../core/loop.js';
import { createHistogram, histogram, WAIT_BOUNDS } from '../../core/histogram.js';
import { counter, gauge, Tally, type Metrics } from '../../core/metrics.js';
import type { Timers } from '../../core/timers.js';
import type { Engine, Tx } from '../../database/engine.js';
import type { StorageLog } from '../../database/storage-log.js';
import {
  endEmptyLane,
  endLanes,
  endOld,
  findWaiting,
  listDueLanes,
  postponeLane,
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

/** How many lanes are worked on at once: in all, of one app and of one webhook. A slow one leaves room for others. */
const MAX_LANES = 64;
const MAX_LANES_OF_APP = MAX_LANES / 4;
const MAX_LANES_OF_ONE = 8;

/** How many due lanes are looked at. */
const LISTED_LANES = 500;

/** After so many deliveries, or this time, a lane gives its place to others that wait. */
const TURN = 20;
const TURN_MS = 10_000;

/** The interval at which due lanes are looked for, beside those just stored. */
const POLL_MS = 1_000;

/** A delivery that fails for this time makes its webhook invalid. What waits longer is given up. */
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
  readonly #busy = new Map<string, { readonly lane: Lane; readonly ended: Promise<void> }>();
  readonly #loop;
  readonly #attempts = new Tally<'delivered' | 'failed'>();
  readonly #durations = createHistogram(WAIT_BOUNDS);
  #givenUp = 0;

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

  readonly collect = (): Metrics => [
    counter(
      'pipit_webhook_attempts_total',
      'Requests to webhooks, by outcome.',
      this.#attempts.samples('outcome'),
    ),
    histogram('pipit_webhook_attempt_seconds', 'How long webhooks take to answer.', this.#durations),
    counter(
      'pipit_webhook_given_up_total',
      'Deliveries that were given up: too old, or of a webhook that receives no more.',
      this.#givenUp,
    ),
    gauge(
      'pipit_webhook_lanes_working',
      'Subscriptions of webhooks that this process works on.',
      this.#busy.size,
    ),
    gauge('pipit_webhook_lease', '1 if this process works for webhooks.', this.#deps.lease.isHeld() ? 1 : 0),
  ];

  /** Counts deliveries that a transaction gives up, when it is committed. */
  async #countGivenUp(tx: Tx, ended: Promise<number>): Promise<void> {
    const count = await ended;
    tx.afterCommit(() => {
      this.#givenUp += count;
    });
  }

  async #begin(): Promise<void> {
    const { engine, clock, lease } = this.#deps;
    if (!lease.isHeld() || this.#busy.size >= MAX_LANES) return;
    for (const lane of await listDueLanes(engine, clock(), MAX_LANES_OF_ONE, LISTED_LANES)) {
      const key = `${lane.webhookId} ${lane.subscription}`;
      if (this.#busy.size >= MAX_LANES) return;
      if (this.#busy.has(key) || !this.#hasRoomFor(lane)) continue;
      const ended = this.#work(lane)
        .catch((err: unknown) => this.#deps.log.warn({ err }, 'a delivery to a webhook was not recorded'))
        .finally(() => {
          this.#busy.delete(key);
          this.wake();
        });
      this.#busy.set(key, { lane, ended });
    }
  }

  #hasRoomFor({ webhookId, appId }: Lane): boolean {
    const lanes = [...this.#busy.values()].map(({ lane }) => lane);
    return (
      lanes.filter((each) => each.webhookId === webhookId).length < MAX_LANES_OF_ONE &&
      lanes.filter((each) => each.appId === appId).length < MAX_LANES_OF_APP
    );
  }

  /** Delivers what waits in a lane, up to the first failure or the end of its turn. */
  async #work(lane: Lane): Promise<void> {
    const { engine, clock } = this.#deps;
    const untilMs = clock() + TURN_MS;
    let { failures, failingSinceMs } = lane;
    for (let sent = 0; sent < TURN && clock() < untilMs; sent++) {
      // Reads before each request, since the webhook may have been deleted, or its app got new keys, in the last one.
      const delivery = await this.#nextOf(lane, failingSinceMs !== undefined);
      const send = delivery && (await this.#sender(lane.webhookId));
      if (delivery === undefined || send === undefined || !this.#mayGoOn()) return;
      const attempt = await send(delivery.body);
      this.#attempts.add(isSuccess(attempt) ? 'delivered' : 'failed');
      if (!isSuccess(attempt)) {
        return this.#fail({ ...lane, failures, failingSinceMs }, delivery, attempt);
      }
      await engine.tx('record delivery', (tx) => recordDelivered(tx, delivery, attempt));
      failures = 0;
      failingSinceMs = undefined;
    }
    await engine.tx('end turn', (tx) => postponeLane(tx, lane, clock()));
  }

  /**
   * Returns the first delivery that waits; undefined after ending a lane without any. Gives up what is too old, unless
   * the lane fails: then the webhook becomes invalid after the same time.
   */
  async #nextOf(lane: Lane, isFailing: boolean): Promise<Delivery | undefined> {
    const { engine, clock } = this.#deps;
    const next = await findWaiting(engine, lane);
    const nowMs = clock();
    const oldestMs = nowMs - GIVE_UP_MS;
    if (next !== undefined && (isFailing || next.createdAtMs > oldestMs)) return next;
    await engine.tx('end lane', async (tx) => {
      await this.#countGivenUp(tx, endOld(tx, nowMs, lane.webhookId, lane.subscription, oldestMs));
      await endEmptyLane(tx, lane);
    });
    return next && findWaiting(engine, lane);
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
      await engine.tx('end lanes', (tx) => this.#countGivenUp(tx, endLanes(tx, webhookId, clock())));
      return undefined;
    }
    return async (body) => {
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'x-twitter-webhooks-signature': sign(secret, body),
      };
      const startedMs = performance.now();
      const answer = await outgoing({ method: 'POST', url: webhook.url, headers, body });
      this.#durations.observe((performance.now() - startedMs) / 1000);
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
      await this.#countGivenUp(tx, endLanes(tx, webhook.id, attempt.atMs));
    });
  }
}

function isSuccess({ status = 0 }: Attempt): boolean {
  return status >= 200 && status < 300;
}
