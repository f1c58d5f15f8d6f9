import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/database/sql.js';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import { suspendAccount } from '../../src/services/accounts/standing.js';
import { findUserByUsername } from '../../src/stores/users.js';
import { inject } from '../support/inject.js';
import { gif, jpegWithLocation, png } from './support/media-files.js';
import { openUploads, postWith, type Uploads } from './support/uploads.js';

/** Pictures and banners of profiles, on `/_pipit/` and in version 1.1. */

const HOUR_MS = 60 * 60 * 1000;
const PICTURE = '/_pipit/profile/picture?user.fields=profile_image_url';
const BANNER = '/_pipit/profile/banner?user.fields=profile_banner_url';
const RED = [255, 0, 0];
const BLUE = [0, 0, 255];

let app: Uploads;
beforeAll(async () => {
  app = await openUploads();
});
afterAll(() => app.close());

/** Returns a picture whose left third is red and whose rest is blue. */
async function flag(width: number, height: number): Promise<Buffer> {
  const left = Math.round(width / 3);
  const red = await sharp({ create: { width: left, height, channels: 3, background: '#f00' } })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#00f' } })
    .composite([{ input: red, left: 0, top: 0 }])
    .png()
    .toBuffer();
}

/** Returns the colour in the middle of a served picture, with its size and format. */
async function seen(url: string) {
  const { bytes } = await app.file(url);
  const { width, height, format, exif } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * info.channels;
  const middle = [...data.subarray(at, at + 3)].map((value) => (value > 200 ? 255 : value < 55 ? 0 : value));
  return { size: [width, height], format, middle, exif };
}

async function changed(path: string, image: Buffer, part: Record<string, number> = {}): Promise<string> {
  const { status, body } = await app.form('PUT', path, { image, ...part });
  expect([status, body]).toMatchObject([200, { data: { username: 'alice' } }]);
  return (body.data.profile_image_url ?? body.data.profile_banner_url) as string;
}

async function statusOf(url: string): Promise<number> {
  return (await app.file(url)).status;
}

async function cleanUp(): Promise<void> {
  const { engine, queue } = app.pipit.backend;
  await engine.tx('test', (tx) => queue.enqueue(tx, { kind: 'housekeeping', payload: { step: 'media' } }));
  await app.runJobs();
}

/** Returns the numbers of stored media, and of users with stored bytes. */
async function stored() {
  const { engine } = app.pipit.backend;
  const media = await engine.all(sql`SELECT id FROM media`);
  const used = await engine.all(sql`SELECT user_id FROM media_usage WHERE size_bytes > 0`);
  return [media.length, used.length];
}

describe('a picture', () => {
  it('is shown in every size, cut to the chosen part', async () => {
    const url = await changed(PICTURE, await flag(600, 300), { width: 200, height: 200, offset_top: 20 });
    expect(url).toMatch(/^http:\/\/pipit\.test\/media\/\d+\/[A-Za-z0-9_-]{32}_normal\.jpg$/);
    const sizes = { _normal: 48, _bigger: 73, _mini: 24, _x96: 96, _200x200: 200, _400x400: 400, '': 200 };
    for (const [suffix, side] of Object.entries(sizes)) {
      const found = await seen(url.replace('_normal.', `${suffix}.`));
      expect(found, suffix).toMatchObject({ size: [side, side], format: 'jpeg', middle: RED });
    }
    for (const wrong of ['_normal.png', '_huge/../x.jpg', '_.jpg'])
      expect(await statusOf(url.replace('_normal.jpg', wrong)), wrong).toBe(404);
  });

  it('is cut around its middle by default, upright and without metadata', async () => {
    expect(await seen(await changed(PICTURE, await flag(600, 300)))).toMatchObject({ middle: BLUE });
    const phone = (await changed(PICTURE, await jpegWithLocation(90, 60))).replace('_normal', '');
    expect(await seen(phone)).toMatchObject({ size: [60, 60], exif: undefined });
    // The picture lies on its side: upright it is 60 pixels wide and 90 high.
    const low = { width: 60, height: 30, offset_top: 60 };
    expect((await app.form('PUT', PICTURE, { image: await jpegWithLocation(90, 60), ...low })).status).toBe(
      200,
    );
    const beside = { image: await jpegWithLocation(90, 60), width: 20, height: 20, offset_left: 60 };
    expect((await app.form('PUT', PICTURE, beside)).status).toBe(400);
  });

  it('stays transparent, and stands still', async () => {
    const glass = sharp({ create: { width: 50, height: 50, channels: 4, background: '#0f08' } });
    expect(await changed(PICTURE, await glass.png().toBuffer())).toMatch(/_normal\.png$/);
    const still = await seen(await changed(PICTURE, gif({ frames: 3, width: 20, height: 20 })));
    expect(still).toMatchObject({ size: [48, 48], format: 'jpeg' });
  });

  it('is served to caches as other media, and known by its name', async () => {
    const url = await changed(PICTURE, await png(30, 30));
    const { headers } = await app.file(url);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=300, must-revalidate',
      'content-type': 'image/jpeg',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(await statusOf(url)).toBe(200);
    expect((await app.file(url, { 'if-none-match': String(headers.etag) })).status).toBe(304);
    const other = await app.file(url.replace('_normal', '_bigger'));
    expect(other.headers.etag).not.toBe(headers.etag);
  });

  it('cannot be posted, and no one else finds it as media', async () => {
    const url = await changed(PICTURE, await png(30, 30));
    const id = url.split('/')[4] ?? '';
    expect((await postWith(app, [id])).status).toBe(400);
    const { body } = await app.json('GET', `/2/media/19_${id}`, undefined, 'bob');
    expect(body.errors).toMatchObject([{ title: 'Not Found Error' }]);
  });
});

describe('a banner', () => {
  it('is three times as wide as high, in the sizes of the original', async () => {
    const url = await changed(BANNER, await flag(900, 700), { width: 300, height: 100 });
    expect(url).toMatch(/^http:\/\/pipit\.test\/media\/\d+\/[A-Za-z0-9_-]{32}$/);
    const whole = { size: [1500, 500], format: 'jpeg', middle: RED };
    expect(await seen(url)).toMatchObject(whole);
    expect(await seen(`${url}/1500x500`)).toMatchObject(whole);
    expect(await seen(`${url}/web`)).toMatchObject({ size: [520, 260], middle: RED });
    expect(await seen(`${url}/300x100`)).toMatchObject({ size: [300, 100] });
    for (const size of ['mobile', '600x200']) expect(await statusOf(`${url}/${size}`), size).toBe(200);
    for (const size of ['huge', 'constructor', '..%2fx', ''])
      expect(await statusOf(`${url}/${size}`), size).toBe(404);
  });

  it('is listed by size in version 1.1, and removed', async () => {
    const url = await changed(BANNER, await flag(90, 30));
    const path = '/1.1/users/profile_banner.json?screen_name=alice';
    const headers = await app.signed('GET', path);
    const found = await app.request({ method: 'GET', url: path, headers });
    expect(found.body.sizes.mobile).toEqual({ w: 320, h: 160, url: `${url}/mobile` });
    const removal = '/1.1/account/remove_profile_banner.json';
    const removed = await app.request({
      method: 'POST',
      url: removal,
      headers: await app.signed('POST', removal),
    });
    expect(removed.status).toBe(200);
    expect(
      (await app.json('GET', '/2/users/me?user.fields=profile_banner_url')).body.data,
    ).not.toHaveProperty('profile_banner_url');
    const missing = await app.request({ method: 'GET', url: path, headers: await app.signed('GET', path) });
    expect([missing.status, missing.body]).toEqual([
      404,
      { errors: [{ code: 34, message: 'Sorry, that page does not exist.' }] },
    ]);
  });
});

it('one that is refused says why, and leaves the profile and the disk as they are', async () => {
  const url = await changed(PICTURE, await png(30, 30));
  const before = await stored();
  const image = await png(40, 40);
  const bomb = Buffer.from(await png(4, 4));
  bomb.writeUInt32BE(60_000, 16);
  const refusals: [object, string, RegExp][] = [
    [{ image: Buffer.from('no picture') }, 'image', /unrecognized/],
    [{ image: Buffer.alloc(0) }, 'image', /empty/],
    [{ image: image.subarray(0, 60) }, 'image', /broken/],
    [{ image: bomb }, 'image', /pixels/],
    [{ image: Buffer.concat([image, Buffer.alloc(5 * 1024 ** 2)]) }, 'image', /exceeds/],
    [{ other: image }, 'image', /missing/],
    [{ image, width: 10, height: 10, offset_left: 40 }, 'image', /outside/],
    [{ image, width: 10 }, 'height', /from 1/],
    [{ image, width: 10, height: 10, offset_top: -3 }, 'offset_top', /from 0/],
    [{ image, width: 10, height: 1e9 }, 'height', /from 1/],
  ];
  for (const [form, parameter, message] of refusals) {
    const { status, body } = await app.form('PUT', PICTURE, form as Record<string, Buffer>);
    const [error] = (body as { errors: { parameters: object; message: string }[] }).errors;
    expect([status, Object.keys(error?.parameters ?? {}), error?.message]).toEqual([
      400,
      [parameter],
      expect.stringMatching(message),
    ]);
  }
  const { body } = await app.json('GET', '/2/users/me?user.fields=profile_image_url');
  expect(body.data.profile_image_url).toBe(url);
  expect(await stored()).toEqual(before);
});

it('the one before is gone at once, and its files with the next housekeeping', async () => {
  const first = await changed(PICTURE, await png(30, 30));
  const second = await changed(PICTURE, await png(31, 31));
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
  const removed = await app.json('DELETE', PICTURE);
  expect(removed.body.data.profile_image_url).toMatch(/\/profile_images\/.*_normal\.png$/);
  expect(await statusOf(second)).toBe(404);
  app.advance(2 * HOUR_MS);
  await cleanUp();
  expect(await stored()).toEqual([0, 0]);
  expect((await app.json('DELETE', PICTURE)).status).toBe(200);
});

it('many changes at once leave one picture', async () => {
  const images = await Promise.all([50, 51, 52, 53].map((side) => png(side, side)));
  const urls = await Promise.all(images.map((image) => changed(PICTURE, image)));
  const { body } = await app.json('GET', '/2/users/me?user.fields=profile_image_url');
  const kept = body.data.profile_image_url;
  // An answer shows the picture of now, which may be that of a later change.
  expect(urls).toContain(kept);
  for (const url of urls) expect(await statusOf(url), url).toBe(url === kept ? 200 : 404);
  app.advance(2 * HOUR_MS);
  await cleanUp();
  expect(await stored()).toEqual([1, 1]);
});

it('is not served while its user is suspended, and deleted with the account', async () => {
  const { backend } = app.pipit;
  const { body } = await app.form('PUT', BANNER, { image: await flag(90, 30) }, 'bob');
  const url = body.data.profile_banner_url as string;
  const bob = await findUserByUsername(backend.engine, 'bob');
  if (!bob) throw new Error('there is no bob');
  await suspendAccount(backend, bob.id, true);
  expect(await statusOf(url)).toBe(404);
  await suspendAccount(backend, bob.id, false);
  expect(await statusOf(url)).toBe(200);
  await deleteAccount(backend, bob);
  expect(await statusOf(url)).toBe(404);
  app.advance(2 * HOUR_MS);
  await cleanUp();
  expect(await stored()).toEqual([1, 1]);
});

it('needs a token that may write', async () => {
  const image = await png(9, 9);
  const { headers, payload } = await multipart({ image });
  const token = await app.as('alice', ['tweet.read', 'users.read']);
  const authorization = `Bearer ${token}`;
  for (const method of ['PUT', 'DELETE'] as const) {
    const answer = await inject(app.pipit.app, {
      method,
      url: PICTURE,
      headers: { ...headers, authorization },
      payload,
    });
    expect(answer.statusCode).toBe(403);
  }
});

async function multipart(form: Record<string, Buffer>) {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) data.append(name, new Blob([new Uint8Array(value)]), 'x');
  const encoded = new Response(data);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return { headers, payload: Buffer.from(await encoded.arrayBuffer()) };
}

describe('version 1.1', () => {
  const path = (name: string) => `/1.1/account/${name}.json`;

  it('takes pictures as bytes and as base64, in the two kinds of forms', async () => {
    const image = await flag(60, 60);
    const bytes = await app.v1({ image }, 'alice', path('update_profile_image'));
    expect(bytes.body).toMatchObject({ screen_name: 'alice', default_profile_image: false });
    const encoded = await app.v1({ image: image.toString('base64') }, 'alice', path('update_profile_image'));
    expect(encoded.body.profile_image_url_https).toMatch(/\/media\/\d+\/.*_normal\.jpg$/);
    const part = { width: 20, height: 7, offset_left: 0, offset_top: 0 };
    const banner = await app.v1({ banner: image, ...part }, 'alice', path('update_profile_banner'));
    expect(banner.status).toBe(201);
    const { body } = await app.json('GET', '/2/users/me?user.fields=profile_banner_url');
    expect(await seen(body.data.profile_banner_url as string)).toMatchObject({ middle: RED });
  });

  it('refuses with the format of its errors', async () => {
    const broken = await app.v1({ image: Buffer.from('none') }, 'alice', path('update_profile_image'));
    expect([broken.status, Object.keys(broken.body)]).toEqual([400, ['errors']]);
    const url = `${path('update_profile')}?name=${'x'.repeat(51)}`;
    const long = await app.request({ method: 'POST', url, headers: await app.signed('POST', url) });
    expect([long.status, long.body.errors[0].code]).toEqual([403, 120]);
  });

  it('changes the given parts of the profile', async () => {
    const url = `${path('update_profile')}?url=pond.example&location=Pond`;
    const { body } = await app.request({ method: 'POST', url, headers: await app.signed('POST', url) });
    expect(body).toMatchObject({ name: 'Alice', location: 'Pond', url: 'http://pond.example' });
  });
});
