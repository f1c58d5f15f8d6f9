import type { Clock } from '../../core/clock.js';
import type { Engine, Queryable } from '../../database/engine.js';
import { endLanes } from '../../stores/webhook-deliveries.js';
import {
  findFirstCheckMs,
  findWebhook,
  listUnchecked,
  updateWebhookState,
  type Webhook,
} from '../../stores/webhooks.js';
import type { Vault } from '../secrets/vault.js';
import { challenge, stateAfter } from './challenge.js';
import type { Outgoing } from './outgoing/outgoing.js';
import { findApiSecret } from './signature.js';

/** Valid webhooks are checked again after this time. */
const CHECK_EVERY_MS = 3_600_000;

/** How many webhooks are checked at once. */
const AT_ONCE = 16;

export interface CheckDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly outgoing: Outgoing;
}

/** Checks some of the valid webhooks that were not checked for an hour, those that wait longest first. */
export async function checkWebhooks(deps: CheckDeps): Promise<void> {
  const { engine, clock } = deps;
  const due = await listUnchecked(engine, clock() - CHECK_EVERY_MS, AT_ONCE);
  await Promise.all(due.map((webhook) => checkOne(deps, webhook)));
}

/** Returns when the next check is due after a time. */
export async function findNextCheckMs(db: Queryable, afterMs: number): Promise<number | undefined> {
  const checkedMs = await findFirstCheckMs(db, afterMs - CHECK_EVERY_MS);
  return checkedMs === undefined ? undefined : checkedMs + CHECK_EVERY_MS;
}

async function checkOne(deps: CheckDeps, { id, appId, url }: Webhook): Promise<void> {
  const { engine, clock, outgoing } = deps;
  const secret = await findApiSecret(deps, appId);
  if (secret === undefined) return;
  const outcome = await challenge(outgoing, url, secret);
  const nowMs = clock();
  await engine.tx('record check of webhook', async (tx) => {
    const before = await findWebhook(tx, id);
    if (before === undefined) return;
    const after = stateAfter(before, outcome, nowMs);
    await updateWebhookState(tx, id, after);
    if (!after.isValid) await endLanes(tx, id, nowMs);
  });
}
