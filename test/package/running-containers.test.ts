import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { FirstCredentials } from '../../src/server/first-start.js';
import { bearer } from '../processes/support/cluster.js';
import { freePort } from '../support/free-port.js';
import {
  buildImage,
  BUILD_MS,
  ENGINE,
  engine,
  healthy,
  services,
  tryEngine,
  urlOf,
} from './support/containers.js';

const IMAGE = 'pipit-test';
const NAME = `pipit-test-${process.pid}`;

/** What compose.yaml grants. */
const LOCKED = [
  '--read-only',
  ...['--tmpfs', '/tmp'],
  ...['--cap-drop', 'ALL'],
  ...['--security-opt', 'no-new-privileges'],
];

const skipped = '(skipped unless PIPIT_TEST_CONTAINERS names docker or podman)';

async function credentialsIn(container: string): Promise<FirstCredentials> {
  return JSON.parse(await engine('exec', container, 'cat', '/data/credentials.json')) as FirstCredentials;
}

async function post(url: string, { oauth2 }: FirstCredentials, text: string): Promise<string> {
  const answer = await fetch(`${url}/2/tweets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${oauth2.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  const { data } = (await answer.json()) as { readonly data: { readonly id: string } };
  return data.id;
}

async function textOf(url: string, { bearer_token }: FirstCredentials, id: string): Promise<unknown> {
  const answer = await fetch(`${url}/2/tweets/${id}`, {
    headers: { authorization: `Bearer ${bearer_token}` },
  });
  return ((await answer.json()) as { readonly data?: { readonly text: string } }).data?.text;
}

describe.skipIf(ENGINE === undefined)(`the image ${skipped}`, () => {
  let url: string;
  beforeAll(async () => {
    await buildImage(IMAGE);
    await engine('volume', 'create', NAME);
    const volume = ['--volume', `${NAME}:/data`, '--publish', '127.0.0.1::8080'];
    await engine('run', '--detach', '--name', NAME, ...LOCKED, ...volume, IMAGE);
    await healthy(NAME);
    url = await urlOf(NAME);
  }, BUILD_MS);
  afterAll(async () => {
    await tryEngine('rm', '--force', NAME);
    await tryEngine('volume', 'rm', NAME);
  });

  test('runs as a user without rights, and writes to its volume only', async () => {
    expect(await engine('exec', NAME, 'id', '-un')).toBe('node\n');
    expect((await tryEngine('exec', NAME, 'touch', '/pipit/new')).status).not.toBe(0);
    expect(await engine('exec', NAME, 'stat', '-c', '%a %U', '/data')).toBe('700 node\n');
  });

  test('has the commands of pipit', async () => {
    expect(await engine('exec', NAME, 'pipit', 'user', 'list')).toContain('@owner');
    expect(await engine('exec', NAME, 'pipit', 'backup', '/data/backup')).toContain('/data/backup');
  });

  test('ends with status 0 on docker stop and keeps its data', async () => {
    const credentials = await credentialsIn(NAME);
    const id = await post(url, credentials, 'before the stop');
    await engine('stop', '--time', '30', NAME);
    expect(await engine('inspect', '--format', '{{.State.ExitCode}}', NAME)).toBe('0\n');
    expect((await engine('logs', NAME)).trim().split('\n').at(-1)).toContain('"msg":"stopping"');
    await engine('start', NAME);
    await healthy(NAME);
    url = await urlOf(NAME);
    expect(await textOf(url, credentials, id)).toBe('before the stop');
  });

  test('says what it cannot write', async () => {
    const { status, output } = await tryEngine('run', '--rm', '--tmpfs', '/data:mode=0700', IMAGE);
    expect(status).not.toBe(0);
    expect(output).toContain('permission denied');
    expect(output.trim().split('\n')).toHaveLength(1);
  });
});

describe.skipIf(ENGINE === undefined)(`compose.yaml ${skipped}`, () => {
  test(
    'serves on this machine, and keeps its data when its container is removed',
    { timeout: BUILD_MS },
    async () => {
      const port = await freePort();
      await using all = await services('compose.yaml', NAME, { PORT: String(port) });
      const start = async (): Promise<string> => {
        await all.compose('up', '--build', '--detach');
        const container = await all.containerOf('pipit');
        await healthy(container);
        return container;
      };
      const url = `http://127.0.0.1:${port}`;
      const container = await start();
      const credentials = await credentialsIn(container);
      const id = await post(url, credentials, 'kept in the volume');
      expect(await engine('logs', container)).toContain(`Sign in at http://localhost:${port}/sign-in`);
      await all.compose('down');
      await start();
      expect(await textOf(url, credentials, id)).toBe('kept in the volume');
    },
  );
});

describe.skipIf(ENGINE === undefined)(`compose.servers.yaml ${skipped}`, () => {
  test(
    'serves through Caddy, and no request fails while servers are stopped',
    { timeout: BUILD_MS },
    async () => {
      const port = await freePort();
      await using all = await services('compose.servers.yaml', `${NAME}-servers`, {
        PIPIT_DATABASE_PASSWORD: 'a password: @/%?',
        HTTP_PORT: String(await freePort()),
        HTTPS_PORT: String(port),
      });
      await all.compose('up', '--build', '--detach');
      const servers = [await all.containerOf('pipit-1'), await all.containerOf('pipit-2')];
      for (const server of servers) await healthy(server);
      const credentials = await credentialsIn(servers[0] ?? '');
      const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
      const url = `https://localhost:${port}`;
      // Caddy is ready when it has a certificate.
      await vi.waitFor(() => request(`${url}/readyz`, { dispatcher }), { timeout: 30_000, interval: 200 });

      const statuses: number[] = [];
      const progress = { stopped: false };
      const client = async (): Promise<void> => {
        while (!progress.stopped) {
          const { statusCode, body } = await request(`${url}/2/tweets`, {
            dispatcher,
            method: 'POST',
            headers: { ...bearer(credentials.oauth2.access_token), 'content-type': 'application/json' },
            body: JSON.stringify({ text: `Post ${statuses.length} of ${Math.random()}` }),
          });
          await body.dump();
          statuses.push(statusCode);
          await pause(50);
        }
      };
      const clients = [client(), client()];
      for (const [index, server] of servers.entries()) {
        await all.compose('stop', `pipit-${index + 1}`);
        expect(await engine('inspect', '--format', '{{.State.ExitCode}}', server)).toBe('0\n');
        await all.compose('start', `pipit-${index + 1}`);
        await healthy(server);
        // Two checks of Caddy, which has to notice the start, too.
        await pause(2_000);
      }
      progress.stopped = true;
      await Promise.all(clients);
      await dispatcher.close();
      expect(statuses.length).toBeGreaterThan(50);
      // The limit of posts may be reached.
      expect(statuses.filter((status) => status !== 201 && status !== 429)).toEqual([]);
    },
  );
});
