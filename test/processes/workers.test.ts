import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bearer, connectToEach, isAlive, send, startCluster, type Cluster } from './support/cluster.js';
import { stopUnderLoad } from './support/stop-under-load.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Leaves most of the processor to workers that start beside the load. */
const BETWEEN_WRITES_MS = 60;

/** Writes posts over several persistent and new connections until stopped; counts lost responses. */
function startLoad({ url, credentials }: Cluster, name: string) {
  const user = bearer(credentials.oauth2.access_token);
  const acknowledged: string[] = [];
  const failures: string[] = [];
  let isStopped = false;
  let count = 0;
  const write = async (agent: Agent | undefined): Promise<void> => {
    count += 1;
    try {
      const options = { ...(agent && { agent }), body: { text: `${name} no. ${count}` } };
      const { status, body } = await send(`${url}/2/tweets`, user, options);
      if (status === 201) acknowledged.push(body.data.id);
      else failures.push(`${status} ${JSON.stringify(body)}`);
    } catch (error) {
      failures.push(String(error));
    }
  };
  const agents = Array.from({ length: 6 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const running = [...agents, undefined, undefined].map(async (agent) => {
    while (!isStopped) {
      await write(agent);
      await pause(BETWEEN_WRITES_MS);
    }
  });
  return {
    acknowledged,
    failures,
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
      for (const agent of agents) agent.destroy();
    },
    /** Waits until this many more posts are acknowledged. */
    progress: async (more: number) => {
      const goal = acknowledged.length + more;
      while (acknowledged.length < goal) await pause(5);
    },
  };
}

async function missing({ url, credentials }: Cluster, ids: readonly string[]): Promise<string[]> {
  const lost: string[] = [];
  for (let at = 0; at < ids.length; at += 100) {
    const page = ids.slice(at, at + 100);
    const { body } = await send(`${url}/2/tweets?ids=${page.join(',')}`, bearer(credentials.bearer_token));
    const found = new Set(body.data?.map((post: { id: string }) => post.id));
    lost.push(...page.filter((id) => !found.has(id)));
  }
  return lost;
}

describe('a server with two workers', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(2, ['--rate-limits', 'off']);
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  test('has one first start and one ready line, and each worker responds', async () => {
    const { server, url, credentials } = cluster;
    expect(server.stdout()).toBe(`pipit listening on ${url}\n`);
    expect(server.stderr().split('First start: ')).toHaveLength(2);
    expect(cluster.workerPids()).toHaveLength(2);
    for (const agent of await connectToEach(url, 2)) {
      const me = await send(`${url}/2/users/me`, bearer(credentials.oauth2.access_token), { agent });
      expect(me.body.data.username).toBe('owner');
      agent.destroy();
    }
  });

  test('replaces a worker killed under load, and no acknowledged write is lost', async () => {
    const load = startLoad(cluster, 'Killed');
    await load.progress(30);
    const [victim = 0] = cluster.workerPids();
    process.kill(victim, 'SIGKILL');
    await cluster.logged('a worker accepts requests');
    await load.progress(30);
    await load.stop();
    expect(load.failures.filter((failure) => !/ECONNRESET|EPIPE|socket hang up/.test(failure))).toEqual([]);
    expect(await missing(cluster, load.acknowledged)).toEqual([]);
    const pids = cluster.workerPids();
    expect(pids).toHaveLength(2);
    expect(pids).not.toContain(victim);
  });

  test('replaces every worker in a rolling restart without failed requests on old and new connections', async () => {
    const before = cluster.workerPids();
    const load = startLoad(cluster, 'Rolling');
    await load.progress(30);
    cluster.server.child.kill('SIGHUP');
    await cluster.logged('all workers were replaced');
    await load.progress(30);
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(await missing(cluster, load.acknowledged)).toEqual([]);
    const after = cluster.workerPids();
    expect(after).toHaveLength(2);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  });

  test('answers every request sent on open connections after SIGTERM, the last with "close", and ends with 0', async () => {
    const pids = cluster.workerPids();
    const { url, server, credentials } = cluster;
    const stop = () => server.child.kill('SIGTERM');
    await stopUnderLoad({ url, token: credentials.oauth2.access_token, stop });
    expect(await server.exit()).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

test('workers exit when the primary process is killed', async () => {
  await using cluster = await startCluster(2);
  const pids = cluster.workerPids();
  cluster.server.child.kill('SIGKILL');
  while (pids.some(isAlive)) await pause(10);
});
