import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request, type Dispatcher } from 'undici';
import { vi } from 'vitest';
import { freePort } from '../../support/free-port.js';

const CADDYFILE = join(import.meta.dirname, '..', '..', '..', 'packaging', 'caddy', 'Caddyfile');

const LIMIT_MS = 30_000;

/** Reports whether Debian's package is installed. */
export function hasCaddy(): boolean {
  try {
    execFileSync('caddy', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Caddy with the configuration of packaging/, and a client that trusts its certificates. */
export interface Caddy extends AsyncDisposable {
  readonly url: string;
  send(path: string, options?: Partial<Dispatcher.RequestOptions>): Promise<Dispatcher.ResponseData>;
}

/** Starts Caddy on a port in front of servers (`HOST:PORT`) with its files in a folder. */
export async function startCaddy(folder: string, port: number, servers: readonly string[]): Promise<Caddy> {
  const file = join(folder, 'Caddyfile');
  const options = `admin off\nskip_install_trust\nhttp_port ${await freePort()}\nstorage file_system ${folder}`;
  await writeFile(file, `{\n${options}\n}\nimport ${CADDYFILE}\n`);
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: {
      ...process.env,
      HOME: folder,
      PIPIT_SITE: `localhost:${port}`,
      PIPIT_SERVERS: servers.join(' '),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const url = `https://localhost:${port}`;
  // The certificate of the site is made after the start.
  const agent = await vi.waitFor(
    async () => {
      const ca = await readFile(join(folder, 'pki', 'authorities', 'local', 'root.crt'), 'utf8');
      const made = new Agent({ connect: { ca }, bodyTimeout: 0 });
      try {
        await (await request(`${url}/livez`, { dispatcher: made })).body.dump();
        return made;
      } catch (error) {
        await made.destroy();
        throw new Error(`caddy does not answer: ${log}`, { cause: error });
      }
    },
    { timeout: LIMIT_MS },
  );
  return {
    url,
    send: (path, more = {}) => request(`${url}${path}`, { method: 'GET', ...more, dispatcher: agent }),
    [Symbol.asyncDispose]: async () => {
      await agent.destroy();
      child.kill('SIGKILL');
      await exited;
    },
  };
}
