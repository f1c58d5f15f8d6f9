import { invalidRequest } from '../../core/errors.js';
import type { AppId, DeliveryId, JobId, WebhookId } from '../../core/ids.js';
import type { ReplayPayload } from '../../core/jobs.js';
import type { Tx } from '../../database/engine.js';
import { hasJobWith } from '../../stores/jobs.js';
import { lockApp } from '../../stores/locks.js';
import { addDeliveries, hasLaneOf, listEnded } from '../../stores/webhook-deliveries.js';
import { validAmong } from '../../stores/webhooks.js';
import type { JobHandler } from '../jobs/handler.js';
import type { ServiceDeps } from '../service-deps.js';
import { requireOwn } from './own-webhook.js';
import { refused } from './webhook-url.js';

/** How far back a replay may begin: ended deliveries are kept for this time. */
const REPLAY_LIMIT_MS = 24 * 3_600_000;

const MINUTE_MS = 60_000;

/** How the lanes of replays begin. */
const LANE = 'replay ';

/** How many deliveries one transaction repeats. */
const CHUNK = 200;

/** The first and the last minute of a replay, in milliseconds. */
export interface ReplayPeriod {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Repeats deliveries to webhooks (docs/api/webhooks.md#replay). */
export type ReplayService = ReturnType<typeof createReplayService>;

export function createReplayService(deps: ServiceDeps) {
  const { engine, clock, ids, queue } = deps;
  return {
    /**
     * Repeats what was sent to the app's webhook in a period, and then sends the end of the job. Throws
     * 'invalid-request' for another period than of the last 24 hours, unless the app has such a valid webhook, and while
     * another replay of the webhook has not ended.
     */
    start: async (appId: AppId, webhookId: WebhookId, period: ReplayPeriod) => {
      const createdAtMs = clock();
      requirePeriod(period, createdAtMs);
      return engine.tx('start replay', async (tx) => {
        await lockApp(tx, appId);
        const { isValid } = await requireOwn(tx, appId, webhookId);
        if (!isValid) {
          throw refused('WebhookIdInvalid', 'webhook_id', String(webhookId), 'The webhook is not valid.');
        }
        if (await isReplaying(tx, webhookId)) {
          throw refused('ReplayRunning', 'webhook_id', String(webhookId), 'Another replay has not ended.');
        }
        const jobId = ids.next<JobId>();
        const { fromMs, toMs } = period;
        const payload = {
          webhookId: String(webhookId),
          jobId: String(jobId),
          fromMs,
          toMs: toMs + MINUTE_MS - 1,
        };
        await queue.enqueue(tx, { kind: 'replay-webhook', payload });
        return { jobId, createdAtMs };
      });
    },
  };
}

/** Reports whether a replay has not repeated everything, or what it repeated has not arrived. */
async function isReplaying(tx: Tx, webhookId: WebhookId): Promise<boolean> {
  const isAtWork = await hasJobWith(tx, 'replay-webhook', `"webhookId":"${webhookId}"`);
  return isAtWork || hasLaneOf(tx, webhookId, LANE);
}

function requirePeriod({ fromMs, toMs }: ReplayPeriod, nowMs: number): void {
  if (toMs < fromMs) throw invalidRequest('to_date', [], 'The `to_date` must not be before the `from_date`');
  if (toMs > nowMs) throw invalidRequest('to_date', [], 'The `to_date` must not be in the future');
  if (fromMs + MINUTE_MS <= nowMs - REPLAY_LIMIT_MS) {
    throw invalidRequest('from_date', [], 'The `from_date` must be within the last 24 hours');
  }
}

/** Creates the handler that repeats the deliveries of a period, a part per transaction. */
export function createReplay({
  engine,
  clock,
}: Pick<ServiceDeps, 'engine' | 'clock'>): JobHandler<ReplayPayload> {
  return async (run) => {
    const { payload } = run;
    await engine.tx('replay webhook', async (tx) => {
      const webhookId = BigInt(payload.webhookId) as WebhookId;
      const { fromMs, toMs } = payload;
      const above = BigInt(payload.after ?? 0) as DeliveryId;
      const found = await listEnded(tx, webhookId, { fromMs, toMs, above }, CHUNK);
      const copies = found.map(({ body }) => ({ ...copyIn(payload, clock()), body }));
      if ((await validAmong(tx, [webhookId])).size === 0) return run.completeIn(tx);
      await addDeliveries(tx, copies);
      const last = found.at(-1);
      if (last !== undefined && found.length === CHUNK) {
        return run.continueWith(tx, { ...payload, after: String(last.id) });
      }
      await endReplay(tx, payload, 'Complete', clock());
      await run.completeIn(tx);
    });
  };
}

const DESCRIPTIONS = {
  Complete: 'Job completed successfully',
  Failed: 'Job failed',
} as const;

/** Sends the end of a replay, after what it repeated. */
export async function endReplay(
  tx: Tx,
  payload: Pick<ReplayPayload, 'webhookId' | 'jobId'>,
  state: keyof typeof DESCRIPTIONS,
  nowMs: number,
): Promise<void> {
  const replay_job_status = {
    webhook_id: payload.webhookId,
    job_state: state,
    job_state_description: DESCRIPTIONS[state],
    job_id: payload.jobId,
  };
  await addDeliveries(tx, [{ ...copyIn(payload, nowMs), body: JSON.stringify({ replay_job_status }) }]);
}

/** A replay is a lane of its own, so it does not wait for new events. */
function copyIn({ webhookId, jobId }: Pick<ReplayPayload, 'webhookId' | 'jobId'>, nowMs: number) {
  return {
    webhookId: BigInt(webhookId) as WebhookId,
    subscription: `${LANE}${jobId}`,
    createdAtMs: nowMs,
    isCopy: true,
  };
}
