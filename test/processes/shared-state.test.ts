import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signHeader } from '../auth/support/sign.js';
import { freePort } from '../support/free-port.js';
import { bearer, connectToEach, isAlive, send, startCluster, type Cluster } from './support/cluster.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const WORKERS = 2;
/** Reduces the limits of post lookup to a few calls. */
const FACTOR = '0.021';

/** More than the 25 ms of docs/behaviour.md#several-processes, as these processes share a busy machine. */
const exchanged = () => pause(200);

describe('workers of one server', () => {
  let metricsPort: number;
  let cluster: Cluster;
  beforeAll(async () => {
    metricsPort = await freePort();
    cluster = await startCluster(WORKERS, ['--rate-limits', FACTOR, '--metrics', String(metricsPort)]);
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  test('have their metrics at a separate address, every worker in one list', async () => {
    const { url } = cluster;
    for (const agent of await connectToEach(url, WORKERS)) {
      for (let count = 0; count < 3; count += 1) await send(`${url}/livez`, {}, { agent });
      agent.destroy();
    }
    expect((await send(`${url}/metrics`)).status).toBe(404);
    const { status, body } = await send(`http://127.0.0.1:${metricsPort}/metrics`);
    expect(status).toBe(200);
    for (const worker of [0, 1])
      expect(body).toContain(
        `pipit_http_requests_total{operation="GET /livez",status="200",worker="${worker}"} 3\n`,
      );
    expect(body.match(/^process_resident_memory_bytes\{/gm)).toHaveLength(WORKERS);
    expect(body.match(/^pipit_jobs\{state="dead"\} /gm)).toHaveLength(1);
    expect((await send(`http://127.0.0.1:${metricsPort}/2/users/me`)).status).toBe(404);
  });

  test('refuse a used nonce, its own worker at once and the others after 25 ms', async () => {
    const { url, credentials } = cluster;
    const agents = await connectToEach(url, WORKERS);
    const owner = `${url}/2/users/by/username/owner`;
    const signed = (nonce: string) => ({
      authorization: signHeader({
        method: 'GET',
        url: owner,
        consumerKey: credentials.api_key,
        consumerSecret: credentials.api_secret,
        token: credentials.oauth1.access_token,
        tokenSecret: credentials.oauth1.access_token_secret,
        timestampSeconds: Math.floor(Date.now() / 1000),
        nonce,
      }),
    });
    const ask = (headers: Record<string, string>) =>
      Promise.all(agents.map((agent) => send(owner, headers, { agent })));

    for (const [index, agent] of agents.entries()) {
      const headers = signed(`in-turn-${index}`);
      expect((await send(owner, headers, { agent })).status).toBe(200);
      expect((await send(owner, headers, { agent })).status).toBe(401);
      await exchanged();
      expect((await ask(headers)).map(({ status }) => status)).toEqual([401, 401]);
    }
    for (const agent of agents) agent.destroy();
  });

  test('admit at most one limit each in a burst, and nothing after 25 ms', async () => {
    const { url, credentials } = cluster;
    const user = credentials.oauth2.access_token;
    const burst = await Promise.all(
      Array.from({ length: 100 }, () => send(`${url}/2/tweets?ids=1`, bearer(user))),
    );
    const userLimit = Number(burst[0]?.headers['x-rate-limit-limit']);
    expect(WORKERS * userLimit).toBeLessThan(100);
    const admitted = burst.filter(({ status }) => status === 200).length;
    expect(admitted).toBeGreaterThanOrEqual(userLimit);
    expect(admitted).toBeLessThanOrEqual(WORKERS * userLimit);
    await exchanged();
    for (const agent of await connectToEach(url, WORKERS)) {
      expect((await send(`${url}/2/tweets?ids=1`, bearer(user), { agent })).status).toBe(429);
      agent.destroy();
    }
  });

  test('share a limit for spaced calls, which survives every worker', async () => {
    const { url, credentials } = cluster;
    const agents = await connectToEach(url, WORKERS);
    const ask = (token: string, call: number) => {
      const agent = agents[call % agents.length];
      return send(`${url}/2/tweets?ids=1`, bearer(token), agent && { agent });
    };

    const first = await ask(credentials.bearer_token, 0);
    const limit = Number(first.headers['x-rate-limit-limit']);
    expect(limit).toBeGreaterThan(5);
    const remaining = [Number(first.headers['x-rate-limit-remaining'])];
    for (let call = 1; call < limit; call += 1) {
      await exchanged();
      const { status, headers } = await ask(credentials.bearer_token, call);
      expect(status).toBe(200);
      expect(headers['x-rate-limit-reset']).toBe(first.headers['x-rate-limit-reset']);
      remaining.push(Number(headers['x-rate-limit-remaining']));
    }
    expect(remaining).toEqual(Array.from({ length: limit }, (_, call) => limit - 1 - call));
    await exchanged();
    for (const call of [0, 1]) expect((await ask(credentials.bearer_token, call)).status).toBe(429);

    for (const agent of agents) agent.destroy();
    for (const pid of cluster.workerPids()) {
      process.kill(pid, 'SIGKILL');
      await cluster.logged(`"worker":${pid},"how":"SIGKILL"`);
    }
    await cluster.logged('a worker accepts requests', WORKERS);
    for (const agent of await connectToEach(url, WORKERS)) {
      const { status } = await send(`${url}/2/tweets?ids=1`, bearer(credentials.bearer_token), { agent });
      expect(status).toBe(429);
      agent.destroy();
    }
  });

  test('end with the server, which SIGINT ends with 0', async () => {
    const pids = cluster.workerPids();
    cluster.server.child.kill('SIGINT');
    expect(await cluster.server.exit()).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
