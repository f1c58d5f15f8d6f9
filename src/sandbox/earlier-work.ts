import type { Backend } from '../server/backend.js';
import { releaseJobs } from '../stores/jobs.js';
import { forgetServers } from '../stores/servers.js';
import { endConnections } from '../stores/stream-connections.js';
import { endDispatchLease } from '../stores/webhook-dispatch.js';

/** Ends the work that was in progress when a restored database was copied: its leases would block the next server. */
export async function endEarlierWork({ engine, clock }: Pick<Backend, 'engine' | 'clock'>): Promise<void> {
  await engine.tx('end earlier work', async (tx) => {
    const nowMs = clock();
    await releaseJobs(tx, nowMs);
    await endDispatchLease(tx);
    await endConnections(tx, nowMs, 'OperationalDisconnect');
    await forgetServers(tx, Number.MAX_SAFE_INTEGER);
  });
}
