import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mp4, png } from './support/media-files.js';
import { openUploads, startUploads, type Uploads } from './support/uploads.js';

/** Files below `/media/`: ranges, headers and removal. */

const DAY_MS = 24 * 60 * 60 * 1000;

let app: Uploads;
let url: string;
let bytes: Buffer;
beforeAll(async () => {
  app = await openUploads();
  const id = await app.uploaded(mp4({ dataBytes: 200_000 }), 'tweet_video');
  url = await linkOf(app, `7_${id}`);
  bytes = (await app.file(url)).bytes;
});
afterAll(() => app.close());

async function linkOf(from: Uploads, key: string): Promise<string> {
  const { data } = (await from.json('GET', `/2/media/${key}?media.fields=url,variants`)).body;
  return data.url ?? data.variants[0].url;
}

describe('a file', () => {
  it('is sent whole to anyone with its link, with headers that prevent execution and sniffing', async () => {
    const { status, headers } = await app.file(url);
    expect(status).toBe(200);
    expect(bytes.length).toBeGreaterThan(200_000);
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^inline; filename="[A-Za-z0-9_-]{32}\.mp4"$/),
    });
  });

  it('answers HEAD with its length', async () => {
    const { status, headers, bytes: none } = await app.file(url, {}, 'HEAD');
    expect([status, headers['content-length'], none.length]).toEqual([200, String(bytes.length), 0]);
    const part = await app.file(url, { range: 'bytes=0-1' }, 'HEAD');
    expect([part.status, part.headers['content-length']]).toEqual([200, String(bytes.length)]);
  });

  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=100-', 100, Infinity],
    ['bytes=-7', -7, Infinity],
    ['bytes=199990-99999999', 199_990, Infinity],
    [`Bytes=5-${'9'.repeat(20)}`, 5, Infinity],
    [`bytes=-${'9'.repeat(20)}`, 0, Infinity],
  ])('is sent in part for %s', async (range, first, last) => {
    const part = await app.file(url, { range });
    const start = first < 0 ? bytes.length + first : first;
    const end = Math.min(last, bytes.length - 1);
    expect(part.status).toBe(206);
    expect(part.headers['content-range']).toBe(`bytes ${start}-${end}/${bytes.length}`);
    expect(part.headers['content-length']).toBe(String(end - start + 1));
    expect(part.bytes.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it('returns 416 beyond its end, and is sent whole for malformed ranges', async () => {
    const beyond = await app.file(url, { range: `bytes=${bytes.length}-` });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${bytes.length}`]);
    expect((await app.file(url, { range: `bytes=${'9'.repeat(400)}-` })).status).toBe(416);
    expect((await app.file(url, { range: 'bytes=-0' })).status).toBe(416);
    for (const range of ['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b']) {
      expect((await app.file(url, { range })).status, range).toBe(200);
    }
  });

  it('returns 304 when the client has it', async () => {
    const etag = String((await app.file(url)).headers.etag);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      expect((await app.file(url, { 'if-none-match': tags })).status, tags).toBe(304);
    }
    expect((await app.file(url, { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await app.file(url, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await app.file(url, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
  });

  it.each([
    '/media/12/abc.png',
    '/media/../../package.json',
    '/media/..%2f..%2f/package.json',
    '/media/drafts/x',
    `/media/12/${'a'.repeat(32)}.png`,
    `/media/1%2f2/${'a'.repeat(32)}.png`,
    `/media/12/..%2f${'a'.repeat(30)}.png`,
  ])('is not found at %s', async (path) => {
    expect((await app.request({ method: 'GET', url: path })).status).toBe(404);
  });

  it('is not found while its upload is incomplete', async () => {
    const started = await app.v1({ command: 'INIT', total_bytes: 10, media_type: 'image/png' });
    const id = started.body.media_id_string as string;
    await app.v1({ command: 'APPEND', media_id: id, segment_index: 0, media: Buffer.alloc(10) });
    expect((await app.request({ method: 'GET', url: `/media/${id}/segment-0` })).status).toBe(404);
  });
});

describe('the daily clean-up', () => {
  it('removes media that were never used and media of deleted posts, and keeps the rest', async () => {
    const own = await startUploads();
    const cleanUp = async () => {
      const { queue } = own.pipit.jobs;
      await own.pipit.backend.engine.tx('order', async (tx) => {
        await queue.enqueue(tx, { kind: 'housekeeping', payload: { step: 'media' } });
      });
      await own.runJobs();
    };
    const links: string[] = [];
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push(await own.uploaded(await png()));
      links.push(await linkOf(own, `3_${ids[count]}`));
    }
    const started = await own.v1({ command: 'INIT', total_bytes: 10, media_type: 'image/png' });
    const unfinished = started.body.media_id_string as string;
    await own.v1({ command: 'APPEND', media_id: unfinished, segment_index: 0, media: Buffer.alloc(10) });
    const post = async (id?: string) =>
      (await own.json('POST', '/2/tweets', { text: `${id}`, media: { media_ids: [id] } })).body.data
        .id as string;
    await post(ids[0]);
    const deleted = await post(ids[1]);
    await cleanUp();
    const found = async () => Promise.all(links.map(async (link) => (await own.file(link)).status));
    expect(await found()).toEqual([200, 200, 200]);
    own.advance(DAY_MS + DAY_MS);
    await cleanUp();
    expect(await found()).toEqual([200, 200, 404]);
    await own.json('DELETE', `/2/tweets/${deleted}`);
    await cleanUp();
    expect(await found()).toEqual([200, 404, 404]);
    const { engine } = own.pipit.backend;
    const { sql } = await import('../../src/database/sql.js');
    const left = async (table: 'media' | 'media_uploads' | 'media_segments') => {
      const { rawSql } = await import('../../src/database/sql.js');
      return (await engine.all(sql`SELECT * FROM ${rawSql(table)}`)).length;
    };
    expect([await left('media'), await left('media_uploads'), await left('media_segments')]).toEqual([
      1, 0, 0,
    ]);
  });
});
