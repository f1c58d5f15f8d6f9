import { createLoop, type Signal } from '../../core/loop.js';
import { findDispatchPosition, endDispatch } from '../../stores/webhook-dispatch.js';
import { hasWebhooks } from '../../stores/webhooks.js';
import type { ServiceDeps } from '../service-deps.js';
import { checkWebhooks, type CheckDeps } from './background-checks.js';
import { Deliverer, type DelivererDeps } from './deliverer.js';
import { DispatchLease } from './dispatch-lease.js';
import { Dispatcher } from './dispatcher.js';
import type { WebhookProducer } from './producer.js';

/** The interval at which a process asks whether it should dispatch, and renews its lease. */
const POLL_MS = 5_000;

interface WorkDeps extends Omit<DelivererDeps, 'lease'>, CheckDeps, Pick<ServiceDeps, 'ids'> {
  readonly producers: readonly WebhookProducer[];
  /** Notified when a webhook is registered. */
  readonly registered: Pick<Signal, 'listen'>;
}

/** Creates the background work for webhooks. Of several processes one does it (docs/design/webhooks.md#one-process). */
export function createWebhookWork(deps: WorkDeps) {
  const { engine, log, timers } = deps;
  const lease = new DispatchLease(deps, deps.ids.next());
  const deliverer = new Deliverer({ ...deps, lease });
  const dispatcher = new Dispatcher({ ...deps, lease, onStored: () => deliverer.wake() });
  let checking: Promise<void> | undefined;

  /** Takes or keeps the lease if there are webhooks. */
  const lead = async (): Promise<boolean> => {
    if ((await findDispatchPosition(engine)) === undefined) return false;
    if (!(await lease.take())) return false;
    if (await hasWebhooks(engine)) return true;
    await engine.tx('end webhooks', endDispatch);
    await lease.release();
    return false;
  };

  const check = (): Promise<void> =>
    (checking ??= checkWebhooks(deps)
      .catch((err: unknown) => log.warn({ err }, 'webhooks could not be checked'))
      .finally(() => {
        checking = undefined;
      }));

  const loop = createLoop({
    work: async () => {
      if (!(await lead())) return dispatcher.stop();
      dispatcher.follow();
      await dispatcher.keep();
      deliverer.start();
      deliverer.wake();
      void check();
    },
    onError: (err) => log.warn({ err }, 'webhooks wait for the database'),
    everyMs: POLL_MS,
    wokenBy: deps.registered,
    timers,
  });

  return {
    collect: deliverer.collect,
    start: () => loop.start(),
    /** Stores the deliveries of what happened, without `start`, and sends none. */
    dispatchDue: async (): Promise<void> => {
      if (await lead()) await dispatcher.runDue();
    },
    /** Sends what is stored and due, without `start`. Never rejects. */
    deliverDue: (): Promise<void> =>
      deliverer.runDue().catch((err: unknown) => log.warn({ err }, 'deliveries could not be sent')),
    /** Does all that is due, without `start`; for tests. Resolves to false if another process does the work. */
    runDue: async (): Promise<boolean> => {
      if (!(await lead())) return false;
      await dispatcher.runDue();
      await check();
      await deliverer.runDue();
      return true;
    },
    /** Resolves after the requests that are under way; another process takes over at once. Idempotent. */
    stop: async (): Promise<void> => {
      await loop.stop();
      await dispatcher.stop();
      await deliverer.stop();
      await checking;
      await lease.release();
    },
  };
}
