import type { Signal } from '../../core/loop.js';
import { PipitError } from '../../core/errors.js';
import type { AppId, WebhookId } from '../../core/ids.js';
import type { Tx } from '../../database/engine.js';
import { deleteAccountSubscriptionsTo } from '../../stores/account-subscriptions.js';
import { forgetWebhook } from '../../stores/activity-subscriptions.js';
import { lockApp } from '../../stores/locks.js';
import { endLanes, hastenLanes } from '../../stores/webhook-deliveries.js';
import { beginDispatch } from '../../stores/webhook-dispatch.js';
import { deleteLink } from '../../stores/webhook-links.js';
import {
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  updateWebhookState,
  type Webhook,
} from '../../stores/webhooks.js';
import type { ServiceDeps } from '../service-deps.js';
import type { CheckDeps } from './background-checks.js';
import { challenge, passedAt, stateAfter } from './challenge.js';
import { requireOwn } from './own-webhook.js';
import { findApiSecret } from './signature.js';
import { MAX_WEBHOOKS, refused, requireWebhookUrl } from './webhook-url.js';

/** A webhook as shown to the owner of the app. */
export type OwnWebhook = Webhook;

interface WebhookDeps extends CheckDeps, Pick<ServiceDeps, 'ids'> {
  /** Notified when a webhook is registered or due deliveries appear. */
  readonly registered: Signal;
}

/** The webhooks of apps (docs/api/webhooks.md). */
export type WebhookService = ReturnType<typeof createWebhookService>;

export function createWebhookService(deps: WebhookDeps) {
  const { engine } = deps;
  return {
    /** Returns the webhooks of an app, oldest first. */
    listOf: (appId: AppId) => listWebhooks(engine, appId),
    /** Returns the app's webhook with this id. Throws 'invalid-request' if it has none. */
    find: (appId: AppId, id: WebhookId) => requireOwn(engine, appId, id),
    /** Checks the URL and registers it. Throws 'invalid-request' with the reason, and stores nothing then. */
    register: (appId: AppId, url: string) => register(deps, appId, url),
    /**
     * Checks the URL of a webhook now. If it passes, the webhook is valid and what waits is sent at once. Throws
     * 'invalid-request' if it does not pass, or if the app has no such webhook.
     */
    check: (appId: AppId, id: WebhookId) => check(deps, appId, id),
    /** Deletes a webhook; nothing more is sent to it. Throws 'invalid-request' if the app has no such webhook. */
    delete: async (appId: AppId, id: WebhookId): Promise<void> => {
      await engine.tx('delete webhook', async (tx) => {
        await requireOwn(tx, appId, id);
        await removeWebhook(tx, id, deps.clock());
      });
    },
  };
}

async function register(deps: WebhookDeps, appId: AppId, url: string): Promise<Webhook> {
  const { engine, ids, clock, registered } = deps;
  requireWebhookUrl(url);
  requireRoom(await listWebhooks(engine, appId), url);
  await requirePass(deps, appId, url);
  // Events from now on count, even if the work begins later.
  const position = await engine.feed.position();
  const webhook = await engine.tx('register webhook', async (tx) => {
    await lockApp(tx, appId);
    requireRoom(await listWebhooks(tx, appId), url);
    const nowMs = clock();
    const added = { id: ids.next<WebhookId>(), appId, url, createdAtMs: nowMs, ...passedAt(nowMs) };
    await insertWebhook(tx, added);
    await beginDispatch(tx, position);
    return added;
  });
  registered.notify();
  return webhook;
}

function requireRoom(existing: readonly Webhook[], url: string): void {
  if (existing.some((webhook) => webhook.url === url)) {
    throw refused('DuplicateUrlFailed', 'url', url, 'The app has a webhook with this URL.');
  }
  if (existing.length >= MAX_WEBHOOKS) {
    throw refused('WebhookLimitExceeded', 'url', url, `An app may have at most ${MAX_WEBHOOKS} webhooks.`);
  }
}

/** Throws 'invalid-request' unless the URL passes a check. */
async function requirePass(deps: WebhookDeps, appId: AppId, url: string): Promise<void> {
  const outcome = await challenge(deps.outgoing, url, await apiSecretOf(deps, appId));
  if (outcome.kind === 'passed') return;
  const reason = outcome.isRefused ? 'UrlValidationFailed' : 'CrcValidationFailed';
  throw refused(reason, 'url', url, outcome.error);
}

async function apiSecretOf(deps: WebhookDeps, appId: AppId): Promise<string> {
  const secret = await findApiSecret(deps, appId);
  if (secret === undefined) throw new PipitError({ code: 'unauthorized' });
  return secret;
}

async function check(deps: WebhookDeps, appId: AppId, id: WebhookId): Promise<void> {
  const { engine, clock, registered } = deps;
  const { url } = await requireOwn(engine, appId, id);
  const outcome = await challenge(deps.outgoing, url, await apiSecretOf(deps, appId));
  const nowMs = clock();
  await engine.tx('check webhook', async (tx) => {
    const after = stateAfter(await requireOwn(tx, appId, id), outcome, nowMs);
    await updateWebhookState(tx, id, after);
    await (after.isValid ? hastenLanes(tx, id, nowMs) : endLanes(tx, id, nowMs));
  });
  registered.notify();
  if (outcome.kind !== 'passed')
    throw refused('CrcValidationFailed', 'webhook_id', String(id), outcome.error);
}

/** Deletes a webhook and gives up what waits for it. Housekeeping deletes its deliveries. */
async function removeWebhook(tx: Tx, id: WebhookId, nowMs: number): Promise<void> {
  await endLanes(tx, id, nowMs);
  await deleteLink(tx, id);
  await deleteAccountSubscriptionsTo(tx, id);
  await forgetWebhook(tx, id);
  await deleteWebhook(tx, id);
}

/** Deletes the webhooks of an app. */
export async function removeWebhooksOf(tx: Tx, appId: AppId, nowMs: number): Promise<void> {
  for (const { id } of await listWebhooks(tx, appId)) await removeWebhook(tx, id, nowMs);
}
