import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '../../../src/api/route-table.js';
import { Journal } from '../../../src/journal/journal.js';
import { createRecorder } from '../../../src/journal/recorder.js';
import { startTestApp } from '../../support/app.js';

/** Starts a server whose requests are recorded. */
export async function startRecorded() {
  const app = await startTestApp();
  const journal = new Journal();
  const record = createRecorder({ journal, clock: Date.now, endpoints, maxExplanationsPerSecond: 1_000 });
  const server = createServer((request, response) => {
    record(request, response);
    app.pipit.app.handle(request, response);
  });
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    app,
    journal,
    url,
    /** Resolves to the only entry of an operation when its answer has ended. */
    recorded: async (operation: string) => {
      const { entries, isComplete } = await journal.waitFor({ operation }, 1, 5_000);
      const [entry] = entries;
      if (!isComplete || entry === undefined) throw new Error(`${operation} was not recorded`);
      return entry;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await app.close();
    },
  };
}
