import { Client as Xdk } from '@xdevplatform/xdk';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readStream, STREAM, type StreamReader } from '../streams/support/read-stream.js';
import { startTestApp, type TestApp } from '../support/app.js';

/** The client xdk ends connections to streams (docs/api/streams.md#open-connections). */

let app: TestApp;
let url: string;
let xdk: Xdk;
beforeEach(async () => {
  app = await startTestApp();
  url = await app.listen();
  xdk = new Xdk({ baseUrl: url, bearerToken: app.bearer });
  await app.post(`${STREAM}/rules`, app.bearer, { add: [{ value: 'heron' }] });
});
afterEach(() => app.close());

async function connect(): Promise<StreamReader> {
  const reader = await readStream(url, app.bearer);
  onTestFinished(reader.close);
  return reader;
}

test.each([
  ['all of them', () => xdk.connections.deleteAll()],
  ['those to a stream', () => xdk.connections.deleteByEndpoint('filtered_stream')],
  [
    'one by its id',
    async () => {
      const { data = [] } = await xdk.connections.getConnectionHistory();
      return xdk.connections.deleteByUuids({ uuids: data.map(({ id }) => String(id)) });
    },
  ],
])('after the end of %s, the next connection is accepted at once', async (_, end) => {
  const lost = await connect();
  const refused = (await connect()).response;
  expect(refused.statusCode).toBe(429);
  expect((await end()).data).toMatchObject({ successfulKills: 1, failedKills: 0 });
  const next = await connect();
  expect(next.response.statusCode).toBe(200);
  expect(await lost.rest()).toMatchObject([{ errors: [{ disconnect_type: 'ForceDisconnect' }] }]);
});
