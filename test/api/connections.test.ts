import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { readStream, STREAM, type StreamReader } from '../streams/support/read-stream.js';

/** Listing and ending connections to streams (docs/api/streams.md#open-connections). */

const PATH = '/2/connections';
const OTHER = {
  ...{ id: '2009', name: 'Other app', owner: 'bob', permissions: 'read', redirect_uris: [] },
  ...{ api_key: 'otherkey', api_secret: 's', client_id: 'otherclient', bearer_token: 'other-bearer' },
};
const NOW_MS = Date.UTC(2026, 5, 1, 12);

let nowMs: number;
let app: TestApp;
let url: string;
const opened: StreamReader[] = [];
beforeEach(async () => {
  nowMs = NOW_MS;
  app = await startTestApp({ clock: () => nowMs, flags: { streamConnections: '3' } });
  await app.load({ apps: [OTHER] });
  url = await app.listen();
  for (const token of [app.bearer, OTHER.bearer_token])
    expect((await app.post(`${STREAM}/rules`, token, { add: [{ value: 'heron' }] })).status).toBe(201);
});
afterEach(async () => {
  for (const reader of opened.splice(0)) reader.close();
  await app.close();
});

async function connect(token = app.bearer): Promise<StreamReader> {
  const reader = await readStream(url, token);
  opened.push(reader);
  expect(reader.response.statusCode).toBe(200);
  return reader;
}

async function list(query = '', token = app.bearer) {
  const { status, body } = await app.get(PATH + query, token);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function idsOf(query = '', token = app.bearer): Promise<string[]> {
  return ((await list(query, token)).data ?? []).map(({ id }: { id: string }) => id);
}

async function remove(path: string, payload?: object, token = app.bearer) {
  const headers = { authorization: `Bearer ${token}` };
  const { status, body } = await app.request({ method: 'DELETE', url: path, headers, payload });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

describe('the list of connections', () => {
  test('has the open ones of the app, and those that ended when asked', async () => {
    const first = await connect();
    nowMs += 1_000;
    await connect();
    await connect(OTHER.bearer_token);
    const [second, older] = await idsOf();
    expect((await list()).data).toEqual([
      {
        id: second,
        endpoint_name: 'filtered_stream',
        client_ip: '127.0.0.1',
        connected_at: '2026-06-01T12:00:01.000Z',
      },
      {
        id: older,
        endpoint_name: 'filtered_stream',
        client_ip: '127.0.0.1',
        connected_at: '2026-06-01T12:00:00.000Z',
      },
    ]);
    nowMs += 1_000;
    first.close();
    await expect.poll(() => idsOf()).toEqual([second]);
    expect(await list('?status=inactive')).toEqual({
      data: [
        {
          id: older,
          endpoint_name: 'filtered_stream',
          client_ip: '127.0.0.1',
          connected_at: '2026-06-01T12:00:00.000Z',
          disconnected_at: '2026-06-01T12:00:02.000Z',
          disconnect_reason: 'ClientDisconnect',
        },
      ],
      meta: { result_count: 1 },
    });
    expect(await idsOf('?status=all')).toEqual([second, older]);
  });

  test('has pages, newest first', async () => {
    await connect();
    await connect();
    await connect();
    const all = await idsOf();
    const first = await list('?max_results=2');
    const second = await list(`?max_results=2&pagination_token=${first.meta.next_token}`);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(all);
    expect(second.meta.next_token).toBeUndefined();
  });

  test('can be limited to streams', async () => {
    await connect();
    expect(await idsOf('?endpoints=sample_stream')).toEqual([]);
    expect(await idsOf('?endpoints=sample_stream,filtered_stream')).toHaveLength(1);
  });

  test('shows a connection whose process renews it no more as lost', async () => {
    await connect();
    nowMs += 31_000;
    expect(await idsOf()).toEqual([]);
    expect((await list('?status=inactive')).data).toMatchObject([
      { disconnected_at: '2026-06-01T12:00:30.000Z', disconnect_reason: 'ConnectionLost' },
    ]);
  });

  test('is of no use to users', async () => {
    expect((await app.get(PATH, await app.as('alice'))).status).toBe(403);
  });
});

describe('connections end', () => {
  const KILLED = [{ errors: [{ disconnect_type: 'ForceDisconnect', title: 'operational-disconnect' }] }];

  test('by their ids, and leave the others', async () => {
    const [one, other] = [await connect(), await connect()];
    const [newer, older] = await idsOf();
    const [foreign] = [await connect(OTHER.bearer_token), (await idsOf('', OTHER.bearer_token))[0]].slice(1);
    const uuids = [String(older), 'nothing', String(foreign)];
    expect(await remove(PATH, { uuids })).toEqual({
      successful_kills: 1,
      failed_kills: 2,
      results: [
        { uuid: older, success: true },
        { uuid: 'nothing', success: false, error_message: 'The app has no open connection with this id.' },
        { uuid: foreign, success: false, error_message: 'The app has no open connection with this id.' },
      ],
    });
    expect(await one.rest()).toMatchObject(KILLED);
    expect(await idsOf()).toEqual([newer]);
    expect((await list('?status=inactive')).data).toMatchObject([
      { id: older, disconnect_reason: 'ForceDisconnect' },
    ]);
    expect((await remove(PATH, { uuids: [String(older)] })).failed_kills).toBe(1);
    other.close();
  });

  test.each(['all', 'filtered_stream'])('at /%s', async (which) => {
    const readers = [await connect(), await connect(), await connect()];
    const ids = await idsOf();
    const { successful_kills, failed_kills, results } = await remove(`${PATH}/${which}`);
    expect([successful_kills, failed_kills]).toEqual([3, 0]);
    expect(results.map(({ uuid }: { uuid: string }) => uuid).sort()).toEqual([...ids].sort());
    for (const reader of readers) expect(await reader.rest()).toMatchObject(KILLED);
    await connect();
  });

  test('not at the path of another stream', async () => {
    await connect();
    expect(await remove(`${PATH}/sample_stream`)).toEqual({ successful_kills: 0, failed_kills: 0 });
    expect(await idsOf()).toHaveLength(1);
  });

  test('when their app is deleted', async () => {
    const reader = await connect(OTHER.bearer_token);
    await app.pipit.backend.apps.delete(BigInt(OTHER.id) as never);
    expect(await reader.rest()).toMatchObject(KILLED);
  });

  test('when the token of their app is revoked, not those of other apps', async () => {
    const reader = await connect(OTHER.bearer_token);
    await connect();
    expect(await app.pipit.backend.tokens.revoke(OTHER.bearer_token)).toBe(true);
    expect(await reader.rest()).toMatchObject(KILLED);
    expect(await idsOf()).toHaveLength(1);
  });

  test.each([[{ uuids: [] }], [{ uuids: Array.from({ length: 101 }, String) }], [{}], [{ uuids: [1] }]])(
    'not for a bad body',
    async (payload) => {
      const headers = { authorization: `Bearer ${app.bearer}` };
      expect((await app.request({ method: 'DELETE', url: PATH, headers, payload })).status).toBe(400);
    },
  );

  test('not at the path of a stream that does not exist', async () => {
    expect((await app.delete(`${PATH}/nothing`, app.bearer)).status).toBe(400);
  });
});
