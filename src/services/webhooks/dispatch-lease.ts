import type { Clock } from '../../core/clock.js';
import type { Engine } from '../../database/engine.js';
import { mayTakeDispatch, releaseDispatch, takeDispatch } from '../../stores/webhook-dispatch.js';

/** How long the holder keeps the lease without renewing it. */
const DISPATCH_LEASE_MS = 15_000;

/** The right to dispatch, which one process has at a time (docs/design/webhooks.md#one-process). */
export class DispatchLease {
  readonly #engine: Engine;
  readonly #clock: Clock;
  #untilMs = 0;

  constructor(
    { engine, clock }: { readonly engine: Engine; readonly clock: Clock },
    readonly holder: bigint,
  ) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /** Takes or renews the lease. Resolves to false if another process has it. */
  async take(): Promise<boolean> {
    const nowMs = this.#clock();
    const untilMs = nowMs + DISPATCH_LEASE_MS;
    const isMine =
      (await mayTakeDispatch(this.#engine, this.holder, nowMs)) &&
      (await this.#engine.tx('lease webhooks', (tx) => takeDispatch(tx, this.holder, nowMs, untilMs)));
    this.#untilMs = isMine ? untilMs : 0;
    return isMine;
  }

  /** Reports whether this process has the lease, by its own clock. */
  isHeld(): boolean {
    return this.#clock() < this.#untilMs;
  }

  /** Takes the loss of the lease into account. */
  lose(): void {
    this.#untilMs = 0;
  }

  /** Lets another process take the lease at once. */
  async release(): Promise<void> {
    if (!this.isHeld()) return;
    this.lose();
    await this.#engine.tx('release webhooks', (tx) => releaseDispatch(tx, this.holder));
  }
}
