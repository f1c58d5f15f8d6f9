import { describe, expect, it, onTestFinished } from 'vitest';
import type { MediaId, UserId } from '../../src/core/ids.js';
import { receiveDraft } from '../../src/services/media/draft.js';
import { appendSegment, type SegmentDeps } from '../../src/services/media/segments.js';
import { createDiskBlobs } from '../../src/stores/blobs/disk-blobs.js';
import { sql } from '../../src/database/sql.js';
import { createSharedDatabase } from '../support/test-database.js';
import { mp4, png } from './support/media-files.js';
import { USERS } from '../support/world.js';
import { postWith, startUploads, type Uploads } from './support/uploads.js';

/** The storage quota of a user’s media. */

const MB = 1024 * 1024;
const HOURS_MS = 60 * 60 * 1000;
const flags = { mediaQuota: '1MB' };

function initUpload(app: Uploads, bytes: number, username?: string) {
  const form = { command: 'INIT', total_bytes: bytes, media_type: 'image/png' };
  return app.v1(form, username);
}

async function cleanUp(app: Uploads): Promise<void> {
  const { queue } = app.pipit.jobs;
  await app.pipit.backend.engine.tx('order', async (tx) => {
    await queue.enqueue(tx, { kind: 'housekeeping', payload: { step: 'media' } });
  });
  await app.runJobs();
}

describe('an upload over the quota is refused', () => {
  it('before its bytes are sent, in both API versions, and for that user only', async () => {
    const app = await startUploads({ flags });
    expect((await initUpload(app, MB - 10)).status).toBe(202);
    const refused = await initUpload(app, 11);
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      403,
      `Your media may use at most ${MB} bytes in total. Delete posts with media, or wait for unused uploads to expire.`,
    ]);
    const body = { total_bytes: 11, media_type: 'image/png' };
    expect((await app.json('POST', '/2/media/upload/initialize', body)).status).toBe(403);
    expect((await app.v1({ media: await png() })).status).toBe(403);
    expect((await initUpload(app, 10)).status).toBe(202);
    expect((await initUpload(app, MB, 'bob')).status).toBe(202);
  });

  it('also when two processes start uploads concurrently', async () => {
    const database = await createSharedDatabase({ users: 'this process' });
    onTestFinished(() => database[Symbol.asyncDispose]());
    const one = await startUploads({ flags, database });
    const other = await startUploads({ flags, database, world: null });
    const token = await one.as('alice');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        (at % 2 === 0 ? one : other).request({
          method: 'POST',
          url: '/2/media/upload/initialize',
          headers: { authorization: `Bearer ${token}` },
          payload: { total_bytes: MB / 4, media_type: 'image/png' },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 403, 403, 403, 403]);
  });
});

describe('stored bytes count', () => {
  it('for subtitles, per language of a video', async () => {
    const app = await startUploads({ flags });
    const video = await app.uploaded(mp4(), 'tweet_video');
    const text = `1\n00:00:00,000 --> 00:00:01,000\n${'Good morning! '.repeat(25_000)}\n`;
    const id = await app.uploaded(Buffer.from(text), 'Subtitles');
    const body = { id: video, media_category: 'TweetVideo' };
    const add = async (language: string) => {
      const subtitles = { id, language_code: language };
      return (await app.json('POST', '/2/media/subtitles', { ...body, subtitles })).status;
    };
    const path = '/1.1/media/subtitles/create.json';
    const entry = { media_id: id, language_code: 'en' };
    const several = await app.request({
      method: 'POST',
      url: path,
      headers: await app.signed('POST', path),
      payload: { media_id: video, subtitle_info: { subtitles: [entry, entry, entry, entry] } },
    });
    expect(several.status).toBe(200);
    expect([await add('en'), await add('de'), await add('en')]).toEqual([200, 403, 200]);
    const removed = await app.json('DELETE', '/2/media/subtitles', { ...body, language_code: 'en' });
    expect([removed.status, await add('de'), await add('fr')]).toEqual([200, 200, 403]);
  });

  it('once when a segment is sent twice concurrently, and the larger copy is not kept', async () => {
    const app = await startUploads({ flags });
    const id = BigInt((await initUpload(app, 1_000)).body.media_id_string as string) as MediaId;
    const blobs = createDiskBlobs(undefined);
    onTestFinished(() => blobs.close());
    const { engine, clock } = app.pipit.backend;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = { ...blobs, put: (name: string, file: string) => held.then(() => blobs.put(name, file)) };
    const append = async (store: typeof blobs, bytes: number) => {
      const deps = { engine, clock, blobs: store } as unknown as SegmentDeps;
      const draft = await receiveDraft(blobs, [Buffer.alloc(bytes)], MB);
      return appendSegment(deps, { userId: BigInt(USERS.alice) as UserId, id, index: 0 }, draft);
    };
    const noted = async () =>
      (await engine.get(sql`SELECT size_bytes FROM media_segments WHERE media_id = ${id}`))?.['size_bytes'];
    const large = append(slow, 1_000);
    await expect.poll(noted).toBeDefined();
    await append(blobs, 1);
    release();
    await large;
    expect([Number(await noted()), (await blobs.findSizeBytes(`${id}/segment-0`)) ?? 0]).toEqual([1, 0]);
  });
});

describe('quota is released', () => {
  it('by failed uploads, and by media smaller than announced', async () => {
    const app = await startUploads({ flags });
    expect((await app.v1({ media: Buffer.alloc(MB) })).status).toBe(400);
    const padded = Buffer.concat([await png(), Buffer.alloc(MB - 1_000)]);
    expect((await app.v1({ media: padded })).status).toBe(200);
    expect((await initUpload(app, MB - 1_000)).status).toBe(202);
  });

  it('by deleted posts and expired uploads, when their files are removed', async () => {
    const app = await startUploads({ flags });
    const id = await app.uploaded(await png());
    const postId = (await postWith(app, [id])).body.data.id as string;
    app.advance(30 * HOURS_MS);
    await cleanUp(app);
    expect((await initUpload(app, MB)).status).toBe(403);
    expect((await initUpload(app, MB / 2)).status).toBe(202);
    expect((await app.json('DELETE', `/2/tweets/${postId}`)).status).toBe(200);
    await cleanUp(app);
    expect((await initUpload(app, MB)).status).toBe(403);
    expect((await initUpload(app, MB / 2)).status).toBe(202);
    app.advance(30 * HOURS_MS);
    await cleanUp(app);
    expect((await initUpload(app, MB)).status).toBe(202);
  });
});
