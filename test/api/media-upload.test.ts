import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inject } from '../support/inject.js';
import { fragmentedMp4, gif, jpegWithLocation, mp4, png } from './support/media-files.js';
import { mediaOf, openUploads, postWith, startUploads, type Uploads } from './support/uploads.js';

/**
 * Media uploads in both API versions (docs/api/media.md#uploads), and media in posts (docs/api/posts.md#attachments).
 */

let app: Uploads;
beforeAll(async () => {
  app = await openUploads();
});
afterAll(() => app.close());

describe('version 1.1', () => {
  it('accepts a photo in one request, with the recorded response', async () => {
    const bytes = await png(125, 62);
    const { status, body } = await app.v1({ media: bytes });
    expect(status).toBe(200);
    expect(body).toEqual({
      media_id: expect.any(Number),
      media_id_string: expect.stringMatching(/^\d{19}$/),
      media_key: `3_${body.media_id_string}`,
      size: bytes.length,
      expires_after_secs: 86_400,
      image: { image_type: 'image/png', w: 125, h: 62 },
    });
  });

  it('writes the id as a number with all of its digits', async () => {
    const path = '/1.1/media/upload.json';
    const answer = await inject(app.pipit.app, {
      method: 'POST',
      url: path,
      headers: {
        ...(await app.signed('POST', `${path}?command=INIT&total_bytes=5&media_type=image/png`)),
        'content-type': 'application/json',
      },
      payload: '',
    });
    expect(answer.statusCode).toBe(401);
    const url = `${path}?command=INIT&total_bytes=5&media_type=image%2Fpng`;
    const { body } = await inject(app.pipit.app, {
      method: 'POST',
      url,
      headers: await app.signed('POST', url),
    });
    expect(body).toMatch(/^\{"media_id":(\d{19}),"media_id_string":"\1"/);
  });

  it('accepts a photo as base64', async () => {
    const answer = await app.v1({ media_data: (await png()).toString('base64') });
    expect(answer.body.image).toEqual({ image_type: 'image/png', w: 6, h: 4 });
    const broken = await app.v1({ media_data: '§§§' });
    expect([broken.status, broken.body.errors[0].code]).toEqual([400, 324]);
  });

  it('accepts segments in any order and repeatedly, with status 202, 204 and 201', async () => {
    const bytes = await png(40, 40);
    const started = await app.v1({ command: 'INIT', total_bytes: bytes.length, media_type: 'image/png' });
    expect(started.status).toBe(202);
    const id = started.body.media_id_string as string;
    const append = (segment: number, media: Buffer) =>
      app.v1({ command: 'APPEND', media_id: id, segment_index: segment, media });
    expect((await append(1, bytes.subarray(50))).status).toBe(204);
    const early = await app.v1({ command: 'FINALIZE', media_id: id });
    expect([early.status, early.body.errors[0].message]).toEqual([400, 'Segment 0 is missing.']);
    expect((await append(0, Buffer.alloc(50))).status).toBe(204);
    expect((await append(0, bytes.subarray(0, 50))).status).toBe(204);
    const tooMuch = await append(2, Buffer.alloc(1));
    expect([tooMuch.status, tooMuch.body.errors[0].code]).toEqual([400, 324]);
    const done = await app.v1({ command: 'FINALIZE', media_id: id });
    expect(done.status).toBe(201);
    expect(done.body).toMatchObject({ media_id_string: id, size: bytes.length, image: { w: 40, h: 40 } });
    expect((await app.v1({ command: 'FINALIZE', media_id: id })).body).toEqual(done.body);
    expect((await append(0, Buffer.alloc(9))).status).toBe(400);
    expect((await postWith(app, [id])).status).toBe(201);
  });

  it('accepts the category names of older clients', async () => {
    const { body } = await app.v1({ media: gif(), media_category: 'TweetGif' });
    expect(body.media_key).toBe(`16_${body.media_id_string}`);
    expect(body.processing_info).toEqual({ state: 'succeeded', progress_percent: 100 });
  });

  it('processes a video in a job and reports its STATUS', async () => {
    const bytes = mp4({ durationMs: 2_500, width: 320, height: 180 });
    const form = { command: 'INIT', total_bytes: bytes.length, media_type: 'video/mp4' };
    const id = (await app.v1({ ...form, media_category: 'tweet_video' })).body.media_id_string as string;
    await app.v1({ command: 'APPEND', media_id: id, segment_index: 0, media: bytes });
    const done = await app.v1({ command: 'FINALIZE', media_id: id });
    expect(done.status).toBe(201);
    expect(done.body.processing_info).toEqual({ state: 'pending', check_after_secs: 1 });
    expect(done.body.video).toBeUndefined();
    expect((await postWith(app, [id])).status).toBe(400);
    await app.runJobs();
    const status = await app.v1Get(`command=STATUS&media_id=${id}`);
    expect(status.body).toMatchObject({
      media_id_string: id,
      size: bytes.length,
      video: { video_type: 'video/mp4' },
      processing_info: { state: 'succeeded', progress_percent: 100 },
    });
    const { data } = await mediaOf(app, `7_${id}`);
    expect(data).toMatchObject({ type: 'video', width: 320, height: 180, duration_ms: 2_500 });
    expect(data.url).toBeUndefined();
    expect(data.variants).toEqual([
      { bit_rate: expect.any(Number), content_type: 'video/mp4', url: expect.stringMatching(/\.mp4$/) },
    ]);
    expect((await postWith(app, [id])).status).toBe(201);
  });

  it('reports a video that fails', async () => {
    const bytes = mp4({ durationMs: 200_000 });
    const form = { command: 'INIT', total_bytes: bytes.length, media_type: 'video/mp4' };
    const id = (await app.v1({ ...form, media_category: 'tweet_video' })).body.media_id_string as string;
    await app.v1({ command: 'APPEND', media_id: id, segment_index: 0, media: bytes });
    await app.v1({ command: 'FINALIZE', media_id: id });
    await app.runJobs();
    const { body } = await app.v1Get(`command=STATUS&media_id=${id}`);
    expect(body.processing_info).toEqual({
      state: 'failed',
      progress_percent: 0,
      error: { code: 1, name: 'InvalidMedia', message: 'A video must last between 0.5 and 140 seconds.' },
    });
    expect((await postWith(app, [id])).status).toBe(400);
  });

  it('rejects videos and large animated images without a category (docs/api/errors.md#problems)', async () => {
    const refusals = await Promise.all([
      app.v1({ media: mp4() }),
      app.v1({ media: gif({ frames: 900 }), media_category: 'tweet_image' }),
      app.v1({ command: 'INIT', total_bytes: 1_000, media_type: 'video/mp4' }),
      app.v1({ command: 'INIT', total_bytes: 6 * 1024 * 1024, media_type: 'image/gif' }),
      app.v1({ media: Buffer.concat([gif(), Buffer.alloc(6 * 1024 * 1024)]) }),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    for (const { body } of refusals) expect(body.errors[0]).toMatchObject({ code: 324 });
    expect(refusals[0].body.errors[0].message).toContain('media_category');
  });

  it('reports missing and invalid parameters', async () => {
    const codes = async (form: Parameters<Uploads['v1']>[0]) => {
      const { status, body } = await app.v1(form);
      return `${status} ${body.errors[0].code} ${body.errors[0].message}`;
    };
    expect(await codes({ media_category: 'tweet_image' })).toBe('403 38 media parameter is missing.');
    expect(await codes({ command: 'INIT' })).toBe('403 38 total_bytes parameter is missing.');
    expect(await codes({ command: 'INIT', total_bytes: '-1' })).toContain(
      '400 324 total_bytes parameter is invalid',
    );
    expect(await codes({ command: 'FINALIZE' })).toBe('403 38 media_id parameter is missing.');
    expect(await codes({ command: 'FINALIZE', media_id: '12' })).toBe('400 325 A media id was not found.');
    expect(await codes({ command: 'DANCE' })).toContain('400 324 The command [DANCE]');
    expect(await codes({ media: await png(), media_category: 'tweet_song' })).toContain(
      'media_category [tweet_song]',
    );
    expect(
      await codes({
        command: 'INIT',
        total_bytes: 600e6,
        media_type: 'video/mp4',
        media_category: 'tweet_video',
      }),
    ).toBe('400 324 File size exceeds 536870912 bytes.');
    expect(await codes({ media: Buffer.alloc(0) })).toBe('400 324 The media is empty.');
  });

  it('requires OAuth 1.0a, with any access level', async () => {
    const essential = await startUploads();
    await essential.pipit.backend.apps.update(2001n as never, { accessLevel: 'essential' } as never);
    expect((await essential.v1({ media: await png() })).status).toBe(200);
    const answer = await app.json('POST', '/1.1/media/upload.json', {});
    expect([answer.status, answer.body.errors[0].code]).toEqual([403, 220]);
  });

  it('refuses an upload to other users', async () => {
    const started = await app.v1({ command: 'INIT', total_bytes: 10, media_type: 'image/png' });
    const id = started.body.media_id_string as string;
    const forms: Parameters<Uploads['v1']>[0][] = [
      { command: 'APPEND', media_id: id, segment_index: 0, media: Buffer.alloc(10) },
      { command: 'FINALIZE', media_id: id },
    ];
    for (const form of forms) {
      expect((await app.v1(form, 'bob')).body.errors[0].code).toBe(325);
    }
    expect((await app.v1Get(`command=STATUS&media_id=${id}`, 'bob')).status).toBe(400);
  });
});

describe('version 2', () => {
  it('accepts a photo in one request, as multipart and as JSON', async () => {
    const bytes = await png(10, 20);
    const image = { w: 10, h: 20, image_type: 'image/png' };
    const expected = { expires_after_secs: 86_400, size: bytes.length, image };
    const form = await app.v2('', { media: bytes, media_category: 'tweet_image' });
    expect([form.status, form.body.data]).toEqual([
      200,
      { id: form.body.data.id, media_key: `3_${form.body.data.id}`, ...expected },
    ]);
    const media = bytes.toString('base64');
    const json = await app.json('POST', '/2/media/upload', { media, media_category: 'tweet_image' });
    expect([json.status, json.body.data]).toMatchObject([200, expected]);
  });

  it('accepts segments at paths of their own', async () => {
    const bytes = await png(30, 30);
    const started = await app.json('POST', '/2/media/upload/initialize', {
      media_type: 'image/png',
      total_bytes: bytes.length,
      media_category: 'dm_image',
      shared: false,
    });
    const { id, media_key: key } = started.body.data;
    expect([started.status, key]).toEqual([200, `5_${id}`]);
    const first = await app.v2(`/${id}/append`, { segment_index: 0, media: bytes.subarray(0, 70) });
    expect([first.status, first.body]).toEqual([200, { data: { expires_at: 1_665_268_932 } }]);
    const media = bytes.subarray(70).toString('base64');
    expect((await app.json('POST', `/2/media/upload/${id}/append`, { segment_index: 1, media })).status).toBe(
      200,
    );
    const done = await app.json('POST', `/2/media/upload/${id}/finalize`);
    expect([done.status, done.body.data.image]).toEqual([200, { w: 30, h: 30, image_type: 'image/png' }]);
    const status = await app.json('GET', `/2/media/upload?command=STATUS&media_id=${id}`);
    expect(status.body).toEqual(done.body);
    expect((await postWith(app, [id])).status, 'what is for messages cannot be posted').toBe(400);
  });

  it('accepts the commands of version 1.1', async () => {
    const bytes = gif();
    const started = await app.v2('', {
      command: 'INIT',
      total_bytes: bytes.length,
      media_type: 'image/gif',
      media_category: 'tweet_gif',
    });
    const { id } = started.body.data;
    const appended = await app.v2('', { command: 'APPEND', media_id: id, segment_index: 0, media: bytes });
    expect([started.status, appended.status]).toEqual([200, 200]);
    const done = await app.v2('', { command: 'FINALIZE', media_id: id });
    expect(done.body.data.processing_info).toEqual({ state: 'succeeded', progress_percent: 100 });
  });

  it('returns problems', async () => {
    const missing = await app.v2('', { media_category: 'tweet_image' });
    expect([missing.status, missing.body.title, missing.body.errors[0]]).toEqual([
      400,
      'Invalid Request',
      { parameters: { media: [] }, message: 'media parameter is missing.' },
    ]);
    const foreign = await app.json('POST', '/2/media/upload/12/finalize');
    expect([foreign.status, foreign.body.resource_type]).toEqual([404, 'media']);
    expect((await app.v2('', { media: mp4() })).status).toBe(400);
    const unscoped = await app.as('alice', ['tweet.read', 'users.read', 'tweet.write']);
    const answer = await app.post('/2/media/upload', unscoped, { media: 'AA==' });
    expect(answer.status).toBe(403);
  });
});

describe('stored media', () => {
  it('are photos without location and camera data, upright, in their original format', async () => {
    const id = await app.uploaded(await jpegWithLocation(60, 40));
    const { data } = await mediaOf(app, `3_${id}`);
    expect(data).toMatchObject({ type: 'photo', width: 40, height: 60 });
    const { bytes, headers } = await app.file(data.url);
    expect(headers['content-type']).toBe('image/jpeg');
    const { exif, orientation, width } = await sharp(bytes).metadata();
    expect([exif, orientation, width]).toEqual([undefined, undefined, 40]);
    expect(bytes.includes('Telephone of alice')).toBe(false);
  });

  it('have at most 4,096 pixels per side', async () => {
    const { body } = await app.v1({ media: await png(5_000, 10) });
    expect(body.image).toEqual({ image_type: 'image/png', w: 4_096, h: 8 });
  });

  it('are animations without comments, with the first frame as preview', async () => {
    const id = await app.uploaded(gif({ frames: 5, width: 20, height: 10 }));
    const { data } = await mediaOf(app, `16_${id}`);
    expect(data).toMatchObject({ type: 'animated_gif', width: 20, height: 10 });
    expect(data.url).toBeUndefined();
    const { bytes } = await app.file(data.variants[0].url);
    expect((await sharp(bytes, { animated: true }).metadata()).pages).toBe(5);
    expect([bytes.includes('secret'), bytes.includes('home'), bytes.includes('NETSCAPE')]).toEqual([
      false,
      false,
      true,
    ]);
    const preview = await app.file(data.preview_image_url);
    expect(await sharp(preview.bytes).metadata()).toMatchObject({ format: 'png', width: 20, height: 10 });
  });

  it('are videos without location data, at unchanged length', async () => {
    const sent = mp4();
    const id = await app.uploaded(sent, 'tweet_video');
    const { data } = await mediaOf(app, `7_${id}`);
    const { bytes, headers } = await app.file(data.variants[0].url);
    expect(headers['content-type']).toBe('video/mp4');
    expect([bytes.length, sent.includes('+51.5090'), bytes.includes('+51.5090')]).toEqual([
      sent.length,
      true,
      false,
    ]);
    expect(await sharp((await app.file(data.preview_image_url)).bytes).metadata()).toMatchObject({
      width: 64,
      height: 36,
    });
  });

  it('are fragmented videos with the total length of their fragments', async () => {
    const id = await app.uploaded(fragmentedMp4(4), 'tweet_video');
    expect((await mediaOf(app, `7_${id}`)).data.duration_ms).toBe(4_000);
  });

  it('have the type of their content, not of their declaration', async () => {
    const bytes = await png();
    const started = await app.v1({ command: 'INIT', total_bytes: bytes.length, media_type: 'image/jpeg' });
    const id = started.body.media_id_string as string;
    await app.v1({ command: 'APPEND', media_id: id, segment_index: 0, media: bytes });
    expect((await app.v1({ command: 'FINALIZE', media_id: id })).body.image.image_type).toBe('image/png');
    const still = await app.v1({ media: gif({ frames: 1 }) });
    expect([still.body.media_key.slice(0, 2), still.body.image.image_type]).toEqual(['3_', 'image/gif']);
    const quickTime = await app.v1({ media: mp4({ brand: 'qt  ' }), media_category: 'tweet_video' });
    expect(quickTime.body.video).toEqual({ video_type: 'video/quicktime' });
    expect((await app.v1({ media: await png(), media_category: 'tweet_video' })).status).toBe(400);
  });
});
