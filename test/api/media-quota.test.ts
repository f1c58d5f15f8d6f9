import { describe, expect, it, onTestFinished } from 'vitest';
import { createSharedDatabase } from '../support/test-database.js';
import { png } from './support/media-files.js';
import { postWith, startUploads, type Uploads } from './support/uploads.js';

/** What the media of a user may take together. */

const MB = 1024 * 1024;
const HOURS_MS = 60 * 60 * 1000;
const flags = { mediaQuota: '1MB' };

function begin(app: Uploads, bytes: number, username?: string) {
  const form = { command: 'INIT', total_bytes: bytes, media_type: 'image/png' };
  return app.v1(form, username);
}

async function house(app: Uploads): Promise<void> {
  const { queue } = app.pipit.jobs;
  await app.pipit.backend.engine.tx('order', async (tx) => {
    await queue.enqueue(tx, { kind: 'housekeeping', payload: { step: 'media' } });
  });
  await app.runJobs();
}

describe('an upload beyond the quota is refused', () => {
  it('before its bytes come, on both interfaces, and for its user alone', async () => {
    const app = await startUploads({ flags });
    expect((await begin(app, MB - 10)).status).toBe(202);
    const refused = await begin(app, 11);
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      403,
      `Your media may take ${MB} bytes together. Delete posts with media, or wait for unused uploads to expire.`,
    ]);
    const body = { total_bytes: 11, media_type: 'image/png' };
    expect((await app.json('POST', '/2/media/upload/initialize', body)).status).toBe(403);
    expect((await app.v1({ media: await png() })).status).toBe(403);
    expect((await begin(app, 10)).status).toBe(202);
    expect((await begin(app, MB, 'bob')).status).toBe(202);
  });

  it('also when two processes begin uploads at the same moment', async () => {
    const database = await createSharedDatabase();
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

describe('room is given back', () => {
  it('by uploads that fail, and by what media take less than was announced', async () => {
    const app = await startUploads({ flags });
    expect((await app.v1({ media: Buffer.alloc(MB) })).status).toBe(400);
    const padded = Buffer.concat([await png(), Buffer.alloc(MB - 1_000)]);
    expect((await app.v1({ media: padded })).status).toBe(200);
    expect((await begin(app, MB - 1_000)).status).toBe(202);
  });

  it('by posts that are deleted and uploads that expire, when their files are removed', async () => {
    const app = await startUploads({ flags });
    const id = await app.uploaded(await png());
    const postId = (await postWith(app, [id])).body.data.id as string;
    app.advance(30 * HOURS_MS);
    await house(app);
    expect((await begin(app, MB)).status).toBe(403);
    expect((await begin(app, MB / 2)).status).toBe(202);
    expect((await app.json('DELETE', `/2/tweets/${postId}`)).status).toBe(200);
    await house(app);
    expect((await begin(app, MB)).status).toBe(403);
    expect((await begin(app, MB / 2)).status).toBe(202);
    app.advance(30 * HOURS_MS);
    await house(app);
    expect((await begin(app, MB)).status).toBe(202);
  });
});
