import { expect, test, vi } from 'vitest';
import { indexAllPending } from '../../src/services/search/index-posts.js';
import { steadyChanges } from '../support/steady-changes.js';
import { startTestApp } from '../support/app.js';
import { USERS } from '../support/world.js';

/** Returns the value of a sample, by its name and its labels in their written order. */
function valueOf(metrics: string, sample: string): number {
  const line = metrics.split('\n').find((candidate) => candidate.startsWith(`${sample} `));
  return Number(line?.slice(sample.length + 1) ?? NaN);
}

test('metrics are not served on the public port by default', async () => {
  await using app = await startTestApp();
  expect((await app.get('/metrics')).status).toBe(404);
});

test('metrics count requests by operation and status, with durations, backlog and database size', async () => {
  await using app = await startTestApp({ flags: { metrics: 'public' } });
  const url = await app.listen();
  // Nothing is cached before the connection that reads changes is there.
  await steadyChanges(app.pipit.backend.engine, ['users']);
  const headers = { authorization: `Bearer ${app.bearer}` };
  for (const path of [
    `/2/users/${USERS.alice}`,
    `/2/users/${USERS.alice}`,
    '/2/users/no',
    '/2/nothing',
    '/other/nothing',
  ])
    await (await fetch(url + path, { headers })).text();
  await (await fetch(`${url}/2/users/me`)).text();

  const answer = await fetch(`${url}/metrics`);
  const metrics = await answer.text();
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const total = (operation: string, status: number) =>
    valueOf(metrics, `pipit_http_requests_total{operation="${operation}",status="${status}",worker="0"}`);
  expect(total('findUserById', 200)).toBe(2);
  expect(total('findUserById', 400)).toBe(1);
  expect(total('findMyUser', 401)).toBe(1);
  expect(total('unrouted', 404)).toBe(2);
  const duration = 'pipit_http_request_duration_seconds';
  const labels = 'operation="findUserById",worker="0"';
  expect(valueOf(metrics, `${duration}_count{${labels}}`)).toBe(3);
  expect(valueOf(metrics, `${duration}_bucket{operation="findUserById",le="+Inf",worker="0"}`)).toBe(3);
  expect(valueOf(metrics, 'pipit_jobs{state="dead"}')).toBe(0);
  expect(valueOf(metrics, 'pipit_statements_total{kind="read",worker="0"}')).toBeGreaterThan(0);
  const cached = (result: string) =>
    valueOf(metrics, `pipit_cache_${result}_total{cache="users",worker="0"}`);
  expect([cached('misses'), cached('hits')]).toEqual([1, 1]);
  expect(valueOf(metrics, 'pipit_database_size_bytes')).toBeGreaterThan(100_000);
  expect(valueOf(metrics, 'process_resident_memory_bytes{worker="0"}')).toBeGreaterThan(1e7);
  expect(metrics).toContain('# TYPE pipit_event_loop_delay_seconds histogram');
  const refused = (reason: string) =>
    valueOf(metrics, `pipit_http_refusals_total{reason="${reason}",worker="0"}`);
  expect(refused('invalid-request')).toBe(1);
  expect(refused('unauthorized')).toBe(1);
  expect(refused('route-not-found')).toBe(2);
  // This request itself.
  expect(valueOf(metrics, 'pipit_http_requests_in_flight{worker="0"}')).toBe(1);
  const bytes = (kind: string) =>
    valueOf(metrics, `pipit_http_${kind}_bytes_total{operation="findUserById",worker="0"}`);
  expect(bytes('request')).toBeGreaterThan(300);
  expect(bytes('response')).toBeGreaterThan(1_000);
  expect(bytes('response')).toBeLessThan(10_000);
  expect(valueOf(metrics, 'pipit_event_loop_active_seconds_total{worker="0"}')).toBeGreaterThan(0);
  for (const line of metrics.trim().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+)$/);

  const open = await fetch(`${url}/metrics`, { headers: { accept: 'application/openmetrics-text' } });
  expect(open.headers.get('content-type')).toContain('application/openmetrics-text; version=1.0.0');
  expect(await open.text()).toMatch(/# EOF\n$/);
});

test('metrics show posts waiting to be indexed, and their lag', async () => {
  await using app = await startTestApp({ flags: { metrics: 'public' } });
  const read = async () => {
    const { body } = await app.get('/metrics');
    const value = (name: string) => valueOf(String(body), `pipit_search_index_${name}`);
    return [value('pending_posts'), value('lag_seconds')];
  };
  const [pending, lag] = await read();
  expect(pending).toBeGreaterThan(0);
  expect(lag).toBeGreaterThan(0);
  await indexAllPending(app.pipit.backend.engine, () => false);
  await vi.waitFor(async () => expect(await read()).toEqual([0, 0]), { timeout: 5_000, interval: 200 });
});
