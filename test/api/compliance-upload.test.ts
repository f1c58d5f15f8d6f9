import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MAX_UPLOAD_BYTES } from '../../src/core/compliance.js';
import type { ComplianceJobId } from '../../src/core/ids.js';
import { createComplianceService } from '../../src/services/compliance/compliance-jobs.js';
import { findUpload } from '../../src/stores/compliance-uploads.js';
import { TEST_URL } from '../support/app.js';
import { POSTS, USERS } from '../support/world.js';
import { shareComplianceServer } from './support/compliance.js';
import { chunk, idsFound, put, start, TEXT } from './support/compliance-transfers.js';
import { refusal } from './support/errors.js';

/** Uploads and downloads over the signed links of compliance jobs (docs/api/compliance.md). */

let shared: Awaited<ReturnType<typeof shareComplianceServer>>;
beforeAll(async () => {
  shared = await shareComplianceServer();
});
afterAll(() => shared.app.close());

describe('a single upload', () => {
  test('is accepted once; the next returns 409', async () => {
    const server = shared.open();
    const job = await server.create('tweets');
    expect(await put(server, job.upload_url, `${POSTS.secret}\n`)).toMatchObject({
      status: 200,
      body: undefined,
    });
    expect((await put(server, job.upload_url, '1')).status).toBe(409);
    expect(await idsFound(server, job)).toEqual([POSTS.secret]);
    expect((await put(server, job.upload_url, '1')).status).toBe(409);
  });

  test('must be plain text without content encoding', async () => {
    const server = shared.open();
    const job = await server.create('tweets');
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plainer']) {
      expect((await put(server, job.upload_url, '1', { 'content-type': type })).status, type).toBe(403);
    }
    expect((await put(server, job.upload_url, '1', { ...TEXT, 'content-encoding': 'gzip' })).status).toBe(
      415,
    );
    expect(
      (await put(server, job.upload_url, '1', { 'content-type': 'text/plain; charset=utf-8' })).status,
    ).toBe(200);
  });

  test('with a declared length over the limit returns 413 before its body is read', async () => {
    const server = shared.open();
    const job = await server.create('tweets');
    const headers = { ...TEXT, 'content-length': String(MAX_UPLOAD_BYTES + 1) };
    expect((await put(server, job.upload_url, '1', headers)).status).toBe(413);
    expect(await server.status(job)).toBe('created');
  });

  test('sent concurrently is accepted once', async () => {
    const server = shared.open();
    const job = await server.create('users');
    const answers = await Promise.all([
      put(server, job.upload_url, USERS.dave),
      put(server, job.upload_url, USERS.dave),
      put(server, job.upload_url, USERS.dave),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await idsFound(server, job)).toEqual([USERS.dave]);
  });

  test('returns 405 for other methods', async () => {
    const server = shared.open();
    const job = await server.create('tweets');
    for (const [url, allowed] of [
      [job.upload_url, 'PUT, POST'],
      [job.download_url, 'GET, HEAD'],
    ] as const) {
      const answer = await server.send(url, { method: 'DELETE' });
      expect([answer.status, answer.headers.allow]).toEqual([405, allowed]);
    }
  });
});

describe('a resumable upload', () => {
  test('starts with a header, on jobs created as resumable', async () => {
    const server = shared.open();
    const job = await server.create('tweets', { resumable: true });
    for (const sent of [undefined, 'stop']) {
      const headers: Record<string, string> = sent === undefined ? {} : { 'x-goog-resumable': sent };
      expect((await server.send(job.upload_url, { method: 'POST', headers })).status).toBe(400);
    }
    const plain = await server.create('users');
    const headers = { 'x-goog-resumable': 'start' };
    expect(await server.send(plain.upload_url, { method: 'POST', headers })).toMatchObject({
      status: 403,
      body: refusal('This job was not created as resumable.'),
    });
    expect(new URL(await start(server, job)).origin).toBe(TEST_URL);
  });

  test('accepts chunks split anywhere, reports its progress, and ends with the last byte', async () => {
    const server = shared.open();
    const job = await server.create('users', { resumable: true });
    const session = await start(server, job);
    const file = `${USERS.alice}\n${USERS.dave}\n`;
    expect(await chunk(server, session, '*/*')).toMatchObject({ status: 308, body: undefined });
    expect((await chunk(server, session, '*/*')).headers).not.toHaveProperty('range');
    const first = await chunk(server, session, `0-6/${file.length}`, file.slice(0, 7));
    expect([first.status, first.headers.range]).toEqual([308, 'bytes=0-6']);
    expect((await chunk(server, session, '*/*')).headers.range).toBe('bytes=0-6');
    expect(await server.status(job)).toBe('created');
    const last = await chunk(server, session, `7-${file.length - 1}/${file.length}`, file.slice(7));
    expect(last.status).toBe(200);
    expect(await server.status(job)).toBe('in_progress');
    expect((await chunk(server, session, '*/*')).status).toBe(200);
    expect(await idsFound(server, job)).toEqual([USERS.dave]);
    expect((await chunk(server, session, '*/*')).status).toBe(200);
  });

  test('accepts its total length at the end', async () => {
    const server = shared.open();
    const job = await server.create('users', { resumable: true });
    const session = await start(server, job);
    expect((await chunk(server, session, '0-3/*', USERS.dave)).status).toBe(308);
    expect((await chunk(server, session, '*/4')).status).toBe(200);
    expect(await idsFound(server, job)).toEqual([USERS.dave]);
  });

  test('accepts the whole file without a range, also after a partial chunk', async () => {
    const server = shared.open();
    const job = await server.create('users', { resumable: true });
    const session = await start(server, job);
    await chunk(server, session, '0-1/*', USERS.dave.slice(0, 2));
    expect((await put(server, session, USERS.dave, { 'content-length': '4' })).status).toBe(200);
    expect(await idsFound(server, job)).toEqual([USERS.dave]);
  });

  test('skips bytes that are stored, and rejects bytes beyond the next offset', async () => {
    const server = shared.open();
    const job = await server.create('users', { resumable: true });
    const session = await start(server, job);
    await chunk(server, session, '0-1/4', USERS.dave.slice(0, 2));
    const early = await chunk(server, session, '3-3/4', USERS.dave.slice(3));
    expect([early.status, early.headers.range]).toEqual([308, 'bytes=0-1']);
    const again = await chunk(server, session, '0-2/4', USERS.dave.slice(0, 3));
    expect([again.status, again.headers.range]).toEqual([308, 'bytes=0-2']);
    expect((await chunk(server, session, '1-3/4', USERS.dave.slice(1))).status).toBe(200);
    expect(await idsFound(server, job)).toEqual([USERS.dave]);
  });

  test.each([
    ['bytes 0-3', '1234'],
    ['bytes 3-0/4', '1234'],
    ['bytes 0-3/3', '1234'],
    ['bytes 0-4/5', '1234'],
    ['bytes a-b/c', '1234'],
    ['bytes */-1', ''],
    ['', ''],
  ])('returns 400 for the range %j', async (range, payload) => {
    const server = shared.open();
    const session = await start(server, await server.create('users', { resumable: true }));
    expect((await put(server, session, payload, { 'content-range': range })).status).toBe(400);
    expect((await chunk(server, session, '*/*')).headers).not.toHaveProperty('range');
  });

  test('returns 413 over the limit, and 400 for an end before the stored bytes', async () => {
    const server = shared.open();
    const session = await start(server, await server.create('users', { resumable: true }));
    expect((await chunk(server, session, `0-0/${MAX_UPLOAD_BYTES + 1}`, '1')).status).toBe(413);
    expect((await chunk(server, session, `0-${MAX_UPLOAD_BYTES}/*`, '1')).status).toBe(413);
    await chunk(server, session, '0-3/*', '1234');
    expect((await chunk(server, session, '*/3')).status).toBe(400);
  });

  test('ends when another one starts for the job', async () => {
    const server = shared.open();
    const job = await server.create('users', { resumable: true });
    const old = await start(server, job);
    await chunk(server, old, '0-3/*', USERS.mallory);
    const session = await start(server, job);
    expect((await chunk(server, old, '*/*')).status).toBe(404);
    await chunk(server, session, '0-3/4', USERS.dave);
    expect((await chunk(server, old, '*/4')).status).toBe(404);
    expect(await idsFound(server, job)).toEqual([USERS.dave]);
  });

  test('stores concurrent copies of a chunk once', async () => {
    const server = shared.open();
    const job = await server.create('users', { resumable: true });
    const session = await start(server, job);
    const answers = await Promise.all([
      chunk(server, session, '0-4/*', `${USERS.dave}\n`),
      chunk(server, session, '0-4/*', `${USERS.dave}\n`),
    ]);
    expect(answers.map(({ status, headers }) => [status, headers.range])).toEqual([
      [308, 'bytes=0-4'],
      [308, 'bytes=0-4'],
    ]);
    expect((await chunk(server, session, '*/*')).headers.range).toBe('bytes=0-4');
    const ends = await Promise.all([
      chunk(server, session, '*/5'),
      chunk(server, session, '0-4/5', `${USERS.dave}\n`),
    ]);
    expect(ends.map(({ status }) => status)).toEqual([200, 200]);
    expect(await idsFound(server, job)).toEqual([USERS.dave]);
  });
});

test('an upload of any size buffers at most 256 KiB before it is stored', async () => {
  const server = shared.open();
  const { uploads } = createComplianceService({ ...server.app.pipit.backend, publicUrl: TEST_URL });
  const job = await server.create('users');
  const { upload } = await uploads.start(BigInt(job.id) as ComplianceJobId);
  const held: number[] = [];
  const lines = Buffer.from('1234567890123456789\n'.repeat(3_200));
  async function* file(): AsyncGenerator<Buffer> {
    for (let taken = 0; taken < 50 * lines.length; taken += lines.length) {
      const stored = await uploads.find(upload.jobId, upload.uploadId);
      held.push(taken - (stored?.receivedBytes ?? 0));
      yield lines;
    }
  }
  expect((await uploads.append(upload, file())).receivedBytes).toBe(50 * lines.length);
  expect(Math.max(...held)).toBeLessThanOrEqual(256 * 1024);
});

/** Sends a PUT and closes the connection after the given bytes. */
async function putAndCut(url: string, headers: OutgoingHttpHeaders, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve) => {
    const sent = httpRequest(url, { method: 'PUT', headers });
    sent.on('error', () => resolve());
    sent.on('close', () => resolve());
    sent.write(bytes, () => setImmediate(() => sent.destroy()));
  });
}

async function putWhole(url: string, headers: OutgoingHttpHeaders, bytes: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'PUT', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer));
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

/** Returns the number of bytes stored so far. */
async function storedBytes(session: string): Promise<number> {
  const headers = { 'content-range': 'bytes */*', 'content-length': 0 };
  const answer = await putWhole(session, headers, Buffer.alloc(0));
  expect(answer.statusCode).toBe(308);
  return Number(/^bytes=0-(\d+)$/.exec(String(answer.headers.range))?.[1] ?? -1) + 1;
}

describe('an interrupted connection', () => {
  let listening: string;
  beforeAll(async () => {
    listening = await shared.app.listen();
  });

  test('lets a resumable upload continue and find every id', { timeout: 60_000 }, async () => {
    const server = shared.open();
    const base = listening;
    const job = await server.create('users', { resumable: true });
    const session = (await start(server, job)).replace(TEST_URL, base);
    const wanted = Object.values(USERS);
    const filler = Array.from({ length: 100_000 }, (_, n) => String(10n ** 18n + BigInt(n) * 7n));
    const lines = filler.flatMap((id, n) => (n % 20_000 === 7 ? [id, wanted[(n / 20_000) | 0] ?? ''] : [id]));
    const file = Buffer.from(lines.join('\n'));
    const headersFrom = (at: number): OutgoingHttpHeaders => ({
      'content-range': `bytes ${at}-${file.length - 1}/${file.length}`,
      'content-length': file.length - at,
    });
    let at = 0;
    for (let cut = 0; cut < 3; cut += 1) {
      await putAndCut(session, headersFrom(at), file.subarray(at, at + 450_000 + cut));
      const before = at;
      at = await vi.waitUntil(async () => {
        const stored = await storedBytes(session);
        return stored > before && stored;
      });
      expect(at).toBeLessThanOrEqual(before + 450_000 + cut);
    }
    for (let status = 0; status !== 200;) {
      status = (await putWhole(session, headersFrom(at), file.subarray(at))).statusCode ?? 0;
      at = status === 200 ? at : await storedBytes(session);
    }
    expect(await idsFound(server, job)).toEqual([USERS.dave]);
  });

  test('leaves the job created, and the upload can be sent again', async () => {
    const server = shared.open();
    const base = listening;
    const job = await server.create('users');
    const url = job.upload_url.replace(TEST_URL, base);
    await putAndCut(url, { ...TEXT, 'content-length': 10 }, Buffer.from(`${USERS.alice}\n`));
    const { engine } = server.app.pipit.backend;
    // Without this wait the server could start the interrupted upload after the second one.
    await vi.waitUntil(
      async () => (await findUpload(engine, BigInt(job.id) as ComplianceJobId))?.receivedBytes,
    );
    expect(await server.status(job)).toBe('created');
    expect((await putWhole(url, TEXT, Buffer.from(USERS.dave))).statusCode).toBe(200);
    expect(await idsFound(server, job)).toEqual([USERS.dave]);
  });
});

describe('the download', () => {
  test('returns 404 until the job is complete', async () => {
    const server = shared.open();
    const job = await server.create('users');
    expect((await server.send(job.download_url)).status).toBe(404);
    await server.upload(job, [USERS.dave]);
    expect((await server.send(job.download_url)).status).toBe(404);
    await server.runJobs();
    const answer = await server.send(job.download_url);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.body).toMatch(/^\{"id":"1004",.*\}\n$/);
  });

  test('returns no body for HEAD', async () => {
    const server = shared.open();
    const job = await server.create('users');
    await server.upload(job, [USERS.dave]);
    await server.runJobs();
    expect(await server.send(job.download_url, { method: 'HEAD' })).toMatchObject({
      status: 200,
      body: undefined,
    });
  });
});
