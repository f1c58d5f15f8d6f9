import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { bearer, connectToEach, isAlive, send, startCluster, type Cluster } from './support/cluster.js';

/** A test starts up to six processes. */
vi.setConfig({ testTimeout: 120_000 });

/** Leaves most of the processor to workers that start beside the load. */
const BETWEEN_WRITES_MS = 20;

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

/** Creates posts over one connection until a response closes it; returns their ids. */
async function postUntilClosed(
  { url, credentials }: Cluster,
  name: string,
  onPosted: () => void,
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const user = bearer(credentials.oauth2.access_token);
  const ids: string[] = [];
  for (;;) {
    const { headers, body } = await send(`${url}/2/tweets`, user, {
      agent,
      body: { text: `${name} no. ${ids.length}` },
    });
    ids.push(body.data.id);
    onPosted();
    if (headers.connection === 'close') return ids;
  }
}

test('several workers have one first start and one ready line, all respond, and SIGTERM ends them with 0', async () => {
  await using cluster = await startCluster(3);
  const { server, url, credentials } = cluster;
  expect(server.stdout()).toBe(`pipit listening on ${url}\n`);
  expect(server.stderr().split('First start: ')).toHaveLength(2);
  const pids = cluster.workerPids();
  expect(pids).toHaveLength(3);
  for (const agent of await connectToEach(url, 3)) {
    const me = await send(`${url}/2/users/me`, bearer(credentials.oauth2.access_token), { agent });
    expect(me.body.data.username).toBe('owner');
    agent.destroy();
  }
  server.child.kill('SIGTERM');
  expect(await server.exit()).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
});

test('a worker killed under load is replaced, and no acknowledged write is lost', async () => {
  await using cluster = await startCluster(2, ['--rate-limits', 'off']);
  const load = startLoad(cluster, 'Killed');
  await load.progress(50);
  const [victim = 0] = cluster.workerPids();
  process.kill(victim, 'SIGKILL');
  await cluster.logged('a worker accepts requests');
  await load.progress(50);
  await load.stop();
  expect(load.failures.filter((failure) => !/ECONNRESET|EPIPE|socket hang up/.test(failure))).toEqual([]);
  expect(await missing(cluster, load.acknowledged)).toEqual([]);
  const pids = cluster.workerPids();
  expect(pids).toHaveLength(2);
  expect(pids).not.toContain(victim);
});

test('a rolling restart replaces every worker without failed requests on old and new connections', async () => {
  await using cluster = await startCluster(2, ['--rate-limits', 'off']);
  const before = cluster.workerPids();
  const load = startLoad(cluster, 'Rolling');
  await load.progress(50);
  cluster.server.child.kill('SIGHUP');
  await cluster.logged('all workers were replaced');
  await load.progress(50);
  await load.stop();
  expect(load.failures).toEqual([]);
  expect(await missing(cluster, load.acknowledged)).toEqual([]);
  const after = cluster.workerPids();
  expect(after).toHaveLength(2);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  cluster.server.child.kill('SIGINT');
  expect(await cluster.server.exit()).toBe(0);
});

test.each([1, 2])(
  'SIGTERM of a server with %i workers answers every request sent on open connections, the last with "close"',
  async (workers) => {
    await using cluster = await startCluster(workers, ['--rate-limits', 'off']);
    let posted = 0;
    const onPosted = (): void => {
      posted += 1;
      if (posted === 100) cluster.server.child.kill('SIGTERM');
    };
    const names = Array.from({ length: 12 }, (_, index) => `Client ${index},`);
    const ids = await Promise.all(names.map((name) => postUntilClosed(cluster, name, onPosted)));
    expect(ids.flat().length).toBeGreaterThanOrEqual(100);
    expect(await cluster.server.exit()).toBe(0);
  },
);

test('workers exit when the primary process is killed', async () => {
  await using cluster = await startCluster(2);
  const pids = cluster.workerPids();
  cluster.server.child.kill('SIGKILL');
  while (pids.some(isAlive)) await pause(10);
});
