import { endpoints } from '../api/route-table.js';
import type { Tracing } from '../operations/tracing/tracing.js';
import type { JobHandler } from '../services/jobs/handler.js';
import type { Outgoing } from '../services/webhooks/outgoing/outgoing.js';
import type { Config } from './config.js';
import { pipitVersion } from './pipit-version.js';

/** Starts tracing if the configuration names a receiver; loads nothing otherwise. */
export async function openTracing({ otlp: url, traceShare: share, traceService: service }: Config) {
  if (url === undefined) return undefined;
  const { Tracing } = await import('../operations/tracing/tracing.js');
  return new Tracing({ url, share, service, version: pipitVersion(), endpoints });
}

/** Returns the handlers, each run in a span. */
export function traceJobs<H extends object>(handlers: H, tracing?: Tracing): H {
  if (tracing === undefined) return handlers;
  const traced = Object.entries(handlers as Record<string, JobHandler<unknown>>).map(([kind, handler]) => [
    kind,
    (run: Parameters<typeof handler>[0]) =>
      tracing.run({ name: `job ${kind}`, kind: 'internal' }, () => handler(run)),
  ]);
  return Object.fromEntries(traced) as H;
}

/** Returns `outgoing`, whose requests have a span and carry the trace to their receiver. */
export function traceOutgoing(outgoing: Outgoing, tracing?: Tracing): Outgoing {
  if (tracing === undefined) return outgoing;
  return (request) => {
    const { method, headers } = request;
    const attributes = { 'http.request.method': method, 'server.address': new URL(request.url).hostname };
    return tracing.run({ name: `${method} webhook`, kind: 'client', attributes }, (own) =>
      outgoing({ ...request, headers: { ...headers, ...own } }),
    );
  };
}
