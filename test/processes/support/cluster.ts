import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FirstCredentials } from '../../../src/server/first-start.js';
import { spawnCli, temporaryFolder, type CliProcess } from '../../support/cli.js';
import { createTestDatabase } from '../../support/test-database.js';
import type { LooseJson } from '../../support/loose-json.js';

/** A server with several processes and the credentials of its first start. */
export interface Cluster extends AsyncDisposable {
  readonly server: CliProcess;
  readonly url: string;
  readonly credentials: FirstCredentials;
  workerPids(): number[];
  /** Waits until the log has the given number of lines with the text. */
  logged(part: string, count?: number): Promise<void>;
}

export async function startCluster(workers: number, args: readonly string[] = []): Promise<Cluster> {
  const folder = await temporaryFolder();
  const database = await createTestDatabase('processes');
  const url = database.url === 'sqlite::memory:' ? 'sqlite:data/pipit.db' : database.url;
  const all = ['serve', '--port', '0', '--workers', String(workers), '--database', url, ...args];
  const server = spawnCli(all, folder.path);
  const dispose = async (): Promise<void> => {
    await server[Symbol.asyncDispose]();
    await database.remove();
    await folder[Symbol.asyncDispose]();
  };
  try {
    const ready = await server.ready();
    const credentials = JSON.parse(await readFile(folder.file('data/credentials.json'), 'utf8'));
    return {
      server,
      url: ready,
      credentials,
      workerPids: () => childPids(server.child.pid ?? 0),
      logged: (part, count = 1) => logged(server, part, count),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Returns the processes of a server's workers. The loader of the sources has a helper process, which is none. */
export function childPids(parent: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, name = '']) => Number(ppid) === parent && /node/.test(name))
    .map(([pid]) => Number(pid));
}

async function logged({ child, stderr }: CliProcess, part: string, count: number): Promise<void> {
  const { stderr: stream } = child;
  if (!stream) throw new Error('no standard error');
  while (stderr().split(part).length <= count) {
    await once(stream, 'data', { signal: AbortSignal.timeout(20_000) });
  }
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: LooseJson;
  /** The same for all responses of one process. */
  readonly from: string;
}

/** Sends a request; rejects when the connection is lost. Without an agent it uses a new connection. */
export function send(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  { agent, body }: { agent?: Agent; body?: object } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const payload = body && JSON.stringify(body);
    const type = { 'content-type': 'application/json' };
    const method = payload === undefined ? 'GET' : 'POST';
    const options = { method, headers: { ...headers, ...(payload && type) }, agent: agent ?? false };
    const sent = request(url, options, (answer) => {
      text(answer).then((content) => {
        const isJson = String(answer.headers['content-type']).includes('json');
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: isJson ? JSON.parse(content) : content,
          from: String(answer.headers['x-transaction-id']).slice(0, 8),
        });
      }, reject);
    });
    sent.on('error', reject);
    sent.end(payload);
  });
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** Opens persistent connections, one to each of the processes. */
export async function connectToEach(url: string, processes: number): Promise<Agent[]> {
  const agents = new Map<string, Agent>();
  for (let round = 0; round < 100 && agents.size < processes; round += 1) {
    const candidates = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const replies = await Promise.all(candidates.map((agent) => send(`${url}/nothing-here`, {}, { agent })));
    for (const [index, { from }] of replies.entries()) {
      const agent = candidates[index];
      if (!agent) continue;
      if (agents.has(from)) agent.destroy();
      else agents.set(from, agent);
    }
  }
  if (agents.size < processes) throw new Error(`only ${agents.size} processes answer`);
  return [...agents.values()];
}

/** Reports whether a process runs. One that has ended exists until its parent, or else init, collects its status. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout !== '' && !stdout.startsWith('Z');
}
