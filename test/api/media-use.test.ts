import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MediaId, PostId } from '../../src/core/ids.js';
import { listSubtitles } from '../../src/stores/media-subtitles.js';
import { findPost, insertVersion } from '../../src/stores/posts.js';
import { firstIdAt } from '../../src/core/snowflake.js';
import { startTestApp } from '../support/app.js';
import { createSharedDatabase } from '../support/test-database.js';
import { USERS } from '../support/world.js';
import { gif, mp4, png } from './support/media-files.js';
import {
  MEDIA_FIELDS,
  mediaOf,
  openUploads,
  postWith,
  startUploads,
  type Uploads,
} from './support/uploads.js';

/** Media in posts, their descriptions and their visibility (docs/api/posts.md#attachments). */

let app: Uploads;
beforeAll(async () => {
  app = await openUploads();
});
afterAll(() => app.close());

describe('use in posts', () => {
  it('is allowed once, by the owner, and shown by expansion', async () => {
    const id = await app.uploaded(await png(33, 22));
    const others = await postWith(app, [id], 'bob');
    expect([others.status, others.body.errors[0].message]).toEqual([400, 'Your media IDs are invalid.']);
    const posted = await postWith(app, [id]);
    expect(posted.status).toBe(201);
    const query = `expansions=attachments.media_keys&${MEDIA_FIELDS}`;
    const { body } = await app.get(`/2/tweets/${posted.body.data.id}?${query}`, app.bearer);
    expect(body.data.attachments.media_keys).toEqual([`3_${id}`]);
    expect(body.includes.media).toEqual([
      {
        media_key: `3_${id}`,
        type: 'photo',
        width: 33,
        height: 22,
        url: expect.stringMatching(new RegExp(`^http://pipit.test/media/${id}/[A-Za-z0-9_-]{32}\\.png$`)),
      },
    ]);
    expect((await postWith(app, [id])).status).toBe(400);
  });

  it('is allowed to additional owners', async () => {
    const { body } = await app.v1({ media: await png(), additional_owners: `${USERS.bob},${USERS.carol}` });
    expect((await postWith(app, [body.media_id_string], 'mallory')).status).toBe(400);
    expect((await postWith(app, [body.media_id_string], 'bob')).status).toBe(201);
  });

  it('is limited to four photos, one animation or one video', async () => {
    const photos = await Promise.all(Array.from({ length: 4 }, async () => app.uploaded(await png())));
    const moving = await app.uploaded(gif());
    expect((await postWith(app, [...photos.slice(0, 3), moving])).status).toBe(400);
    expect((await postWith(app, photos)).status).toBe(201);
    expect((await postWith(app, [moving])).status).toBe(201);
  });

  it('is possible for a day', async () => {
    const own = await startUploads();
    const ids = [await own.uploaded(await png()), await own.uploaded(await png())];
    const use = (id?: string) => own.json('POST', '/2/tweets', { text: `${id}`, media: { media_ids: [id] } });
    own.advance(24 * 60 * 60 * 1000 - 1);
    expect((await use(ids[0])).status).toBe(201);
    own.advance(1);
    expect((await use(ids[1])).status).toBe(400);
    expect((await own.v1Get(`command=STATUS&media_id=${ids[1]}`)).status).toBe(400);
  });
});

describe('descriptions', () => {
  it('can be set in both API versions by the owner, until the media are used', async () => {
    const id = await app.uploaded(await png());
    const old = await app.request({
      method: 'POST',
      url: '/1.1/media/metadata/create.json',
      headers: await app.signed('POST', '/1.1/media/metadata/create.json'),
      payload: { media_id: id, alt_text: { text: 'A bird' } },
    });
    expect([old.status, old.body]).toEqual([200, undefined]);
    expect((await mediaOf(app, `3_${id}`)).data.alt_text).toBe('A bird');
    const setDescription = (text: string, username?: string) =>
      app.json('POST', '/2/media/metadata', { id, metadata: { alt_text: { text } } }, username);
    expect((await setDescription('Another bird')).body).toEqual({
      data: { id, associated_metadata: { alt_text: { text: 'Another bird' } } },
    });
    expect((await setDescription('Mine', 'bob')).status).toBe(404);
    expect((await setDescription('x'.repeat(1001))).status).toBe(400);
    await postWith(app, [id]);
    expect((await setDescription('Too late')).status).toBe(404);
    expect((await mediaOf(app, `3_${id}`)).data.alt_text).toBe('Another bird');
  });
});

describe('lookup by key', () => {
  it('shows unused media to their owner only, and used media to everyone who can see the post', async () => {
    const id = await app.uploaded(await png(), undefined, 'dave');
    const key = `3_${id}`;
    const seenBy = async (username: string) => (await mediaOf(app, key, username)).data?.media_key;
    expect([await seenBy('dave'), await seenBy('bob')]).toEqual([key, undefined]);
    await postWith(app, [id], 'dave');
    expect([await seenBy('dave'), await seenBy('bob'), await seenBy('carol')]).toEqual([key, key, undefined]);
    const { body } = await app.get(`/2/media?media_keys=${key},3_12,3_9999999999999999999`, app.bearer);
    expect(body.data).toBeUndefined();
    expect(body.errors.map((error: { value: string; title: string }) => [error.value, error.title])).toEqual(
      [key, '3_12', '3_9999999999999999999'].map((value) => [value, 'Not Found Error']),
    );
  });
});

describe('concurrent requests', () => {
  it('finalize an upload once and attach media to one post', async () => {
    const bytes = gif();
    const started = await app.v1({ command: 'INIT', total_bytes: bytes.length, media_type: 'image/gif' });
    const id = started.body.media_id_string as string;
    const middle = Math.floor(bytes.length / 2);
    const parts = [bytes.subarray(0, middle), bytes.subarray(middle)];
    await Promise.all(
      parts.map((media, at) => app.v1({ command: 'APPEND', media_id: id, segment_index: at, media })),
    );
    const finalize = () => app.v1({ command: 'FINALIZE', media_id: id });
    const answers = await Promise.all([finalize(), finalize(), finalize()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(answers[1].body).toEqual(answers[0].body);
    const posts = await Promise.all([
      postWith(app, [id], 'alice', 'one'),
      postWith(app, [id], 'alice', 'two'),
    ]);
    expect(posts.map(({ status }) => status).sort()).toEqual([201, 400]);
    const shown = (await mediaOf(app, `16_${id}`)).data;
    expect((await app.file(shown.variants[0].url)).status).toBe(200);
  });
});

describe('media for messages', () => {
  it('are hidden from others, also when a post has the id of the message', async () => {
    const id = await app.uploaded(await png(), 'dm_image');
    const sent = await app.json('POST', `/2/dm_conversations/with/${USERS.bob}/messages`, { media_id: id });
    const posted = await postWith(app, [await app.uploaded(await png())]);
    await app.pipit.backend.engine.tx('imported', async (tx) => {
      const post = await findPost(tx, BigInt(posted.body.data.id as string) as PostId);
      if (post)
        await insertVersion(tx, { ...post, id: BigInt(sent.body.data.dm_event_id as string) as PostId });
    });
    expect((await mediaOf(app, `5_${id}`, 'carol')).data).toBeUndefined();
    expect((await mediaOf(app, `5_${id}`)).data.media_key).toBe(`5_${id}`);
  });

  it('are sent with the message and shown to its participants', async () => {
    const id = await app.uploaded(await png(9, 9), 'dm_image');
    const send = () =>
      app.json('POST', `/2/dm_conversations/with/${USERS.bob}/messages`, { attachments: [{ media_id: id }] });
    const sent = await send();
    expect(sent.status).toBe(201);
    const query = 'expansions=attachments.media_keys&media.fields=url,width';
    const { body } = await app.json(
      'GET',
      `/2/dm_events/${sent.body.data.dm_event_id}?${query}`,
      undefined,
      'bob',
    );
    expect(body.includes.media).toMatchObject([{ media_key: `5_${id}`, width: 9 }]);
    expect((await app.file(body.includes.media[0].url)).status).toBe(200);
    expect((await send()).status).toBe(400);
  });
});

describe('subtitles', () => {
  const srt = Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nGood morning!\n');

  it('can be added to and removed from a video of the user in both API versions', async () => {
    const video = await app.uploaded(mp4(), 'tweet_video');
    const id = await app.uploaded(srt, 'Subtitles');
    const body = { id: video, media_category: 'TweetVideo' };
    const add = (subtitles: object, username?: string) =>
      app.json('POST', '/2/media/subtitles', { ...body, subtitles }, username);
    const added = await add({ id, language_code: 'en', display_name: 'English' });
    expect(added.body).toEqual({
      data: { ...body, associated_subtitles: [{ id, language_code: 'en', display_name: 'English' }] },
    });
    const { engine } = app.pipit.backend;
    const kept = () => listSubtitles(engine, BigInt(video) as MediaId);
    const first = (await kept())[0]?.blob ?? '';
    expect((await app.file(`http://pipit.test/media/${first}`)).bytes).toEqual(srt);
    const path = '/1.1/media/subtitles/create.json';
    const entry = { media_id: id, language_code: 'de' };
    const older = await app.request({
      method: 'POST',
      url: path,
      headers: await app.signed('POST', path),
      payload: { media_id: video, media_category: 'TweetVideo', subtitle_info: { subtitles: [entry] } },
    });
    expect([older.status, (await kept()).length]).toEqual([200, 2]);
    expect((await add({ id, language_code: 'en' }, 'bob')).status).toBe(404);
    expect((await add({ id: video, language_code: 'en' })).status).toBe(400);
    const gone = await app.json('DELETE', '/2/media/subtitles', { ...body, language_code: 'en' });
    expect(gone.body).toEqual({ data: { deleted: true } });
    expect((await kept()).map(({ languageCode }) => languageCode)).toEqual(['de']);
    expect((await app.file(`http://pipit.test/media/${first}`)).status).toBe(404);
  });

  it('must be timed text', async () => {
    for (const media of [await png(), Buffer.from('<script>'), Buffer.from([0xff, 0xfe])]) {
      expect((await app.v1({ media, media_category: 'subtitles' })).status).toBe(400);
    }
  });
});

it('is allowed on a server started after posts that are dated later', async () => {
  await using database = await createSharedDatabase({ users: 'this process' });
  const first = await startTestApp({ database });
  await first.load({
    apps: [],
    posts: [{ id: String(firstIdAt(Date.UTC(2022, 11, 1))), author: 'bob', text: 'Later' }],
  });
  await first.close();
  const second = await openUploads({ database, world: null });
  const posted = await postWith(second, [await second.uploaded(await png())]);
  const message = { attachments: [{ media_id: await second.uploaded(await png(), 'dm_image') }] };
  const sent = await second.json('POST', `/2/dm_conversations/with/${USERS.bob}/messages`, message);
  await second.close();
  expect([posted.status, sent.status]).toEqual([201, 201]);
});
