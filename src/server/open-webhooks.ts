import { setMaxListeners } from 'node:events';
import { createSignal } from '../core/loop.js';
import { createOutgoing } from '../services/webhooks/outgoing/outgoing.js';
import { parseNamedTarget } from '../services/webhooks/outgoing/named-target.js';
import { createWebhookLinkService } from '../services/webhooks/links.js';
import type { WebhookProducer } from '../services/webhooks/producer.js';
import { createWebhookService } from '../services/webhooks/webhooks.js';
import { createWebhookWork } from '../services/webhooks/webhook-work.js';
import { createDeliveryHistory } from '../services/webhooks/delivery-history.js';
import { createReplayService } from '../services/webhooks/replay.js';
import type { StorageLog } from '../database/storage-log.js';
import type { Backend } from './backend.js';
import type { Config } from './config.js';
import { traceOutgoing } from './open-tracing.js';
import type { Tracing } from '../operations/tracing/tracing.js';

interface OpenOptions {
  readonly log: StorageLog;
  readonly producers: readonly WebhookProducer[];
  readonly random?: () => number;
  readonly tracing?: Tracing;
}

/** Creates the webhooks of a server. `producers` decide what is sent (docs/design/webhooks.md#producers). */
export function openWebhooks(
  { webhooksTo }: Pick<Config, 'webhooksTo'>,
  backend: Backend,
  { log, producers, random, tracing }: OpenOptions,
) {
  const targets = webhooksTo.flatMap((text) => parseNamedTarget(text) ?? []);
  const abandoned = new AbortController();
  // Each request under way listens.
  setMaxListeners(0, abandoned.signal);
  const outgoing = traceOutgoing(createOutgoing({ targets, abandoned: abandoned.signal }), tracing);
  const deps = { ...backend, outgoing, registered: createSignal() };
  return {
    service: createWebhookService(deps),
    links: createWebhookLinkService(deps),
    replays: createReplayService(deps),
    history: createDeliveryHistory(deps),
    /** Does nothing until it is started. */
    work: {
      ...createWebhookWork({ ...deps, log, producers, random }),
      /** Ends all requests to webhooks at once; they count as failed. */
      abandon: () => abandoned.abort(),
    },
  };
}
