import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { signHeader } from '../auth/support/sign.js';
import { bearer, connectToEach, send, startCluster } from './support/cluster.js';

vi.setConfig({ testTimeout: 120_000 });

const WORKERS = 2;
/** Reduces the limits of post lookup to a dozen calls. */
const FACTOR = '0.025';

/** More than the 25 ms of docs/behaviour.md#several-processes, as these processes share a busy machine. */
const exchanged = () => pause(200);

test('a limit is shared by all workers for spaced calls, and survives every worker', async () => {
  await using cluster = await startCluster(WORKERS, ['--rate-limits', FACTOR]);
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

test('in a burst each worker admits at most one limit, and nothing after 25 ms', async () => {
  await using cluster = await startCluster(WORKERS, ['--rate-limits', FACTOR]);
  const { url, credentials } = cluster;
  const user = credentials.oauth2.access_token;
  const burst = await Promise.all(
    Array.from({ length: 200 }, () => send(`${url}/2/tweets?ids=1`, bearer(user))),
  );
  const userLimit = Number(burst[0]?.headers['x-rate-limit-limit']);
  expect(userLimit).toBeLessThan(200);
  const admitted = burst.filter(({ status }) => status === 200).length;
  expect(admitted).toBeGreaterThanOrEqual(userLimit);
  expect(admitted).toBeLessThanOrEqual(WORKERS * userLimit);
  await exchanged();
  for (const agent of await connectToEach(url, WORKERS)) {
    expect((await send(`${url}/2/tweets?ids=1`, bearer(user), { agent })).status).toBe(429);
    agent.destroy();
  }
});

test('a used nonce is refused at once by its worker, and by the others after 25 ms', async () => {
  await using cluster = await startCluster(WORKERS);
  const { url, credentials } = cluster;
  const agents = await connectToEach(url, WORKERS);
  const signed = (nonce: string) => ({
    authorization: signHeader({
      method: 'GET',
      url: `${url}/2/users/me`,
      consumerKey: credentials.api_key,
      consumerSecret: credentials.api_secret,
      token: credentials.oauth1.access_token,
      tokenSecret: credentials.oauth1.access_token_secret,
      timestampSeconds: Math.floor(Date.now() / 1000),
      nonce,
    }),
  });
  const ask = (headers: Record<string, string>) =>
    Promise.all(agents.map((agent) => send(`${url}/2/users/me`, headers, { agent })));

  for (const [index, agent] of agents.entries()) {
    const headers = signed(`in-turn-${index}`);
    expect((await send(`${url}/2/users/me`, headers, { agent })).status).toBe(200);
    expect((await send(`${url}/2/users/me`, headers, { agent })).status).toBe(401);
    await exchanged();
    expect((await ask(headers)).map(({ status }) => status)).toEqual([401, 401]);
  }
  for (const agent of agents) agent.destroy();
});
