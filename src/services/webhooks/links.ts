import type { Clock } from '../../core/clock.js';
import type { AppId, WebhookId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { findApp } from '../../stores/apps.js';
import { deleteLink, listLinks, replaceLink, type LinkFields } from '../../stores/webhook-links.js';
import { requireOwn } from './own-webhook.js';

/** The filtered streams that go to webhooks (docs/api/webhooks.md#filtered-stream). */
export type WebhookLinkService = ReturnType<typeof createWebhookLinkService>;

export function createWebhookLinkService({
  engine,
  clock,
}: {
  readonly engine: Engine;
  readonly clock: Clock;
}) {
  return {
    /** Returns the links of an app, and its owner. */
    listOf: async (appId: AppId) => ({
      links: await listLinks(engine, appId),
      ownerId: (await findApp(engine, appId))?.ownerId,
    }),
    /** Sends the filtered stream of an app to its webhook. Throws 'invalid-request' if it has no such webhook. */
    add: async (appId: AppId, webhookId: WebhookId, fields: LinkFields): Promise<void> => {
      await engine.tx('link webhook', async (tx) => {
        await requireOwn(tx, appId, webhookId);
        await replaceLink(tx, { webhookId, appId, fields, createdAtMs: clock() });
      });
    },
    /** Ends that. Resolves to false if there was no link. Throws as `add` does. */
    remove: (appId: AppId, webhookId: WebhookId): Promise<boolean> =>
      engine.tx('unlink webhook', async (tx) => {
        await requireOwn(tx, appId, webhookId);
        return deleteLink(tx, webhookId);
      }),
  };
}
