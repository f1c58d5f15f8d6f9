import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { FirstCredentials } from '../../src/server/first-start.js';
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { bearer } from '../processes/support/cluster.js';
import { spawnCli, temporaryFolder, type CliProcess } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import type { LooseJson } from '../support/loose-json.js';
import { hasCaddy, startCaddy, type Caddy } from './support/caddy.js';

const CLIENTS = 4;
const THINKING_MS = 25;

/** Returns a picture that takes as many bytes as it has samples. */
function noisePng(width: number, height: number): Promise<Buffer> {
  const raw = { width, height, channels: 3 as const };
  return sharp(randomBytes(width * height * 3), { raw })
    .png()
    .toBuffer();
}

/** Two servers over one database, and Caddy in front of them. */
interface Pair extends AsyncDisposable {
  readonly caddy: Caddy;
  readonly credentials: FirstCredentials;
  start(index: number): Promise<void>;
  /** Stops a server; returns its exit status. */
  stop(index: number): Promise<number | null>;
}

async function startPair(): Promise<Pair> {
  const folder = await temporaryFolder();
  const [site, ...ports] = await Promise.all([freePort(), freePort(), freePort()]);
  const servers: CliProcess[] = [];
  const pair = {
    start: async (index: number) => {
      const options = [
        '--share-database',
        '--rate-limits',
        'off',
        '--trusted-proxy',
        '127.0.0.1',
        '--drain-delay',
        '2',
      ];
      const addresses = ['--port', String(ports[index]), '--base-url', `https://localhost:${site}`];
      servers[index] = spawnCli(['serve', ...addresses, ...options], folder.path);
      await servers[index].ready();
    },
    stop: async (index: number) => {
      servers[index]?.child.kill('SIGTERM');
      return servers[index]?.exit() ?? null;
    },
  };
  await pair.start(0);
  await pair.start(1);
  const caddy = await startCaddy(
    folder.path,
    site,
    ports.map((port) => `127.0.0.1:${port}`),
  );
  return {
    ...pair,
    caddy,
    credentials: JSON.parse(await readFile(folder.file('data/credentials.json'), 'utf8')),
    [Symbol.asyncDispose]: async () => {
      await caddy[Symbol.asyncDispose]();
      for (const server of servers) await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(!hasCaddy())(
  'two servers behind Caddy (skipped where Debian’s caddy is not installed)',
  () => {
    let pair: Pair;
    beforeAll(async () => {
      pair = await startPair();
    });
    afterAll(() => pair[Symbol.asyncDispose]());

    const asUser = () => bearer(pair.credentials.oauth2.access_token);
    const asApp = () => bearer(pair.credentials.bearer_token);

    async function json(path: string, headers: Record<string, string>, body?: object) {
      const payload = body && { method: 'POST' as const, body: JSON.stringify(body) };
      const type = body && { 'content-type': 'application/json' };
      const answer = await pair.caddy.send(path, { headers: { ...headers, ...type }, ...payload });
      const text = await answer.body.text();
      // Caddy's own answers are empty.
      return { status: answer.statusCode, body: (text === '' ? {} : JSON.parse(text)) as LooseJson };
    }

    /** Returns the processes that answer, by the part of their ids that is the same for all of their answers. */
    async function serving(): Promise<Set<string>> {
      const answers = await Promise.all(Array.from({ length: 8 }, () => pair.caddy.send('/livez')));
      for (const { body } of answers) await body.dump();
      return new Set(answers.map(({ headers }) => String(headers['x-transaction-id']).slice(0, 8)));
    }

    test('a post arrives on a stream while both responses are open', async () => {
      const rules = await json('/2/tweets/search/stream/rules', asApp(), { add: [{ value: 'kingfisher' }] });
      expect(rules.status).toBe(201);
      const stream = await pair.caddy.send('/2/tweets/search/stream', { headers: asApp() });
      expect(stream.statusCode).toBe(200);
      const sent = await json('/2/tweets', asUser(), { text: 'A kingfisher' });
      expect(sent.status).toBe(201);
      let received = '';
      for await (const chunk of stream.body) {
        received += String(chunk);
        if (received.includes('\r\n') && received.trim() !== '') break;
      }
      expect(JSON.parse(received).data).toMatchObject({ id: sent.body.data.id, text: 'A kingfisher' });
    });

    test('server-sent events start at once', async () => {
      const { caddy } = pair;
      const events = await caddy.send('/_pipit/live', { headers: asUser() });
      expect(events.statusCode).toBe(200);
      expect(events.headers['content-type']).toContain('text/event-stream');
      events.body.on('error', () => undefined).destroy();
    });

    test('a picture of some megabytes is uploaded, and shown under the public address', async () => {
      const media = (await noisePng(1_000, 800)).toString('base64');
      expect(media.length).toBeGreaterThan(2 ** 21);
      const uploaded = await json('/2/media/upload', asUser(), { media, media_category: 'tweet_image' });
      expect(uploaded).toMatchObject({ status: 200 });
      const posted = await json('/2/tweets', asUser(), { media: { media_ids: [uploaded.body.data.id] } });
      const shown = await json(
        `/2/tweets/${posted.body.data.id}?expansions=attachments.media_keys&media.fields=url`,
        asApp(),
      );
      const { url } = shown.body.includes.media[0];
      expect(url).toContain(`${pair.caddy.url}/`);
      const file = await pair.caddy.send(new URL(url).pathname);
      expect(file.statusCode).toBe(200);
      expect((await file.body.arrayBuffer()).byteLength).toBeGreaterThan(2 ** 20);
    });

    test('no request fails while one server after the other is replaced', async () => {
      const replaced = { all: false };
      const answers: number[] = [];
      const postUntilReplaced = async (name: string): Promise<void> => {
        for (let count = 0; !replaced.all; count += 1) {
          const { status } = await json('/2/tweets', asUser(), { text: `${name}, no. ${count}` });
          answers.push(status);
          await pause(THINKING_MS);
        }
      };
      const clients = Array.from({ length: CLIENTS }, (_unused, index) =>
        postUntilReplaced(`Client ${index}`),
      );
      const statuses: (number | null)[] = [];
      for (const index of [0, 1]) {
        statuses.push(await pair.stop(index));
        await pair.start(index);
        await vi.waitFor(async () => expect((await serving()).size).toBe(2), { timeout: 10_000 });
      }
      replaced.all = true;
      await Promise.all(clients);
      expect(statuses).toEqual([0, 0]);
      expect(answers.length).toBeGreaterThan(CLIENTS * 10);
      expect(new Set(answers)).toEqual(new Set([201]));
    });
  },
);
