import type { Backend } from '../server/backend.js';
import { releaseJobs } from '../stores/jobs.js';
import { forgetServers } from '../stores/servers.js';
import { endConnections } from '../stores/stream-connections.js';
import { endDispatchLease } from '../stores/webhook-dispatch.js';

/** Ends in a restored database what the server that was copied had under way: its leases would bind the next one. */
export async function endEarlierWork({ engine, clock }: Pick<Backend, 'engine' | 'clock'>): Promise<void> {
  await engine.tx('end earlier work', async (tx) => {
    const nowMs = clock();
    await releaseJobs(tx, nowMs);
    await endDispatchLease(tx);
    await endConnections(tx, 'OperationalDisconnect', nowMs);
    await forgetServers(tx, Number.MAX_SAFE_INTEGER);
  });
}
