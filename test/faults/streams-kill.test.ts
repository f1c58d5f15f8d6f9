import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { childPids, isAlive } from '../processes/support/cluster.js';
import { readStream } from '../streams/support/read-stream.js';
import { rounds } from '../support/rounds.js';
import type { ServerProcess } from '../wire/support/server-process.js';
import { ALICE_OAUTH2, APP, createWireDatabase, type WireDatabase } from '../wire/support/wire-world.js';

/** What readers of the filtered stream get when processes are killed (docs/api/streams.md#messages). */

vi.setConfig({ testTimeout: 120_000 });

const ROUNDS = rounds(1);
const WRITERS = 4;
const ENOUGH = 25;
const LIMIT = { timeout: 20_000 };
const ARGS = ['--rate-limits', 'off', '--stream-connections', '100', '--durability', 'relaxed'];

/** A server that is killed and replaced. */
class MortalServer {
  #process: ServerProcess;

  private constructor(
    private readonly database: WireDatabase,
    private readonly args: readonly string[],
    process: ServerProcess,
  ) {
    this.#process = process;
  }

  static async start(workers: number): Promise<MortalServer> {
    const database = await createWireDatabase();
    const args = [...ARGS, '--workers', String(workers)];
    const server = new MortalServer(database, args, await database.serve(args));
    onTestFinished(async () => {
      await server.kill();
      await database.remove();
    });
    return server;
  }

  get url(): string {
    return this.#process.url;
  }

  workers(): number[] {
    return childPids(this.#process.pid);
  }

  /** Kills all processes at once. */
  async kill(): Promise<void> {
    const workers = this.workers();
    for (const pid of workers) kill(pid);
    await this.#process.end('SIGKILL');
    await vi.waitFor(() => expect(workers.filter(isAlive)).toEqual([]), LIMIT);
  }

  async replace(): Promise<void> {
    this.#process = await this.database.serve(this.args);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function send(url: string, token: string, body: object): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    connection: 'close',
  };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return text;
}

/** Writes posts until the test ends, also while there is no server; collects the ids of the acknowledged ones. */
function write(server: MortalServer) {
  const acknowledged: string[] = [];
  let isStopped = false;
  let count = 0;
  const writing = Array.from({ length: WRITERS }, async () => {
    while (!isStopped) {
      count += 1;
      const body = { text: `heron ${count}` };
      const answer = await send(`${server.url}/2/tweets`, ALICE_OAUTH2, body).catch(() => undefined);
      if (answer === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      else acknowledged.push((JSON.parse(answer) as { data: { id: string } }).data.id);
    }
  });
  const stop = async (): Promise<void> => {
    isStopped = true;
    await Promise.all(writing);
  };
  onTestFinished(stop);
  const progress = (more: number): Promise<void> => {
    const goal = acknowledged.length + more;
    return vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(goal), LIMIT);
  };
  return { acknowledged, progress, stop };
}

/** Reads the stream until the test ends, and connects again whenever it ends; collects ids of posts. */
function read(server: MortalServer) {
  const received = new Set<string>();
  let isStopped = false;
  let connections = 0;
  let close = (): void => undefined;
  const readOnce = async (): Promise<void> => {
    const stream = await readStream(server.url, APP.bearerToken, '?backfill_minutes=5');
    ({ close } = stream);
    if (stream.response.statusCode !== 200) throw new Error(`status ${stream.response.statusCode}`);
    connections += 1;
    for (;;) {
      const message = await stream.next();
      if (message === undefined) return;
      received.add(String(message.data.id));
    }
  };
  let isHeld = false;
  const reading = (async () => {
    while (!isStopped) {
      if (!isHeld) await readOnce().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  onTestFinished(async () => {
    isStopped = true;
    close();
    await reading;
  });
  /** Keeps the reader from connecting again, or lets it. */
  const hold = (held: boolean): void => void (isHeld = held);
  return { received, connections: () => connections, hold };
}

async function start(workers: number) {
  const server = await MortalServer.start(workers);
  await send(`${server.url}/2/tweets/search/stream/rules`, APP.bearerToken, { add: [{ value: 'heron' }] });
  const { received, connections, hold } = read(server);
  await vi.waitFor(() => expect(connections()).toBe(1), LIMIT);
  const { acknowledged, progress, stop } = write(server);
  const hasEverything = async (): Promise<void> => {
    await stop();
    await vi.waitFor(() => expect(acknowledged.filter((id) => !received.has(id))).toEqual([]), LIMIT);
  };
  return { server, connections, hold, progress, hasEverything };
}

describe.each([1, 2])('with %i processes', (workers) => {
  test('a client that reconnects with backfill misses no post that killed servers acknowledged', async () => {
    const { server, connections, hold, progress, hasEverything } = await start(workers);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const known = connections();
      // One worker after the other is replaced: the reader comes back to another one.
      for (const victim of server.workers()) {
        await progress(ENOUGH);
        kill(victim);
      }
      if (workers > 1) await vi.waitFor(() => expect(connections()).toBeGreaterThan(known), LIMIT);
      await progress(ENOUGH);
      hold(true);
      await server.kill();
      await server.replace();
      const before = connections();
      await progress(ENOUGH);
      hold(false);
      await vi.waitFor(() => expect(connections()).toBe(before + 1), LIMIT);
    }
    await progress(ENOUGH);
    await hasEverything();
  });
});
