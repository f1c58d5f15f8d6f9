import { expect, test, vi } from 'vitest';
import { signHeader } from '../auth/support/sign.js';
import { bearer, connectToEach, send, startCluster } from './support/cluster.js';

vi.setConfig({ testTimeout: 120_000 });

const WORKERS = 2;
/** Makes the limits of the lookup of posts a few dozen calls. */
const FACTOR = '0.05';

test('a limit holds for all workers together, counts down by one whichever answers, and outlives a worker', async () => {
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
  const told = [Number(first.headers['x-rate-limit-remaining'])];
  for (let call = 1; call < limit; call += 1) {
    const { status, headers } = await ask(credentials.bearer_token, call);
    expect(status).toBe(200);
    expect(headers['x-rate-limit-reset']).toBe(first.headers['x-rate-limit-reset']);
    told.push(Number(headers['x-rate-limit-remaining']));
  }
  expect(told).toEqual(Array.from({ length: limit }, (_, call) => limit - 1 - call));
  for (const call of [0, 1]) expect((await ask(credentials.bearer_token, call)).status).toBe(429);

  const user = credentials.oauth2.access_token;
  const burst = await Promise.all(
    Array.from({ length: 200 }, () => send(`${url}/2/tweets?ids=1`, bearer(user))),
  );
  const userLimit = Number(burst[0]?.headers['x-rate-limit-limit']);
  expect(userLimit).toBeLessThan(200);
  let admitted = burst.filter(({ status }) => status === 200).length;
  expect(admitted).toBeLessThanOrEqual(userLimit);
  for (let call = 0; (await ask(user, call)).status === 200; call += 1) admitted += 1;
  expect(admitted).toBe(userLimit);
  // No worker has places of its own left.
  for (const call of [0, 1]) expect((await ask(user, call)).status).toBe(429);

  for (const agent of agents) agent.destroy();
  for (const pid of cluster.workerPids()) {
    process.kill(pid, 'SIGKILL');
    await cluster.logged(`"worker":${pid},"how":"SIGKILL"`);
  }
  await cluster.logged('a worker accepts requests', WORKERS);
  expect((await send(`${url}/2/tweets?ids=1`, bearer(user))).status).toBe(429);
});

test('a nonce that one worker took is refused by the others', async () => {
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

  const answers = [];
  for (let round = 0; round < 20; round += 1) answers.push(await ask(signed(`at-once-${round}`)));
  for (const both of answers) expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  for (const [index, agent] of agents.entries()) {
    const headers = signed(`in-turn-${index}`);
    expect((await send(`${url}/2/users/me`, headers, { agent })).status).toBe(200);
    expect((await ask(headers)).map(({ status }) => status)).toEqual([401, 401]);
  }
  for (const agent of agents) agent.destroy();
});
