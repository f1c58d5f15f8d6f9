import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inject } from '../support/inject.js';
import { initialsOf } from '../../src/core/default-picture.js';
import { signHeader } from '../auth/support/sign.js';
import { startTestApp, TEST_URL, type TestApp } from '../support/app.js';
import { standardWorld, USERS } from '../support/world.js';

const VERIFY = '/1.1/account/verify_credentials.json';
const OWN_PICTURE = 'https://pictures.example/bob_normal.jpg';

let app: TestApp;

beforeAll(async () => {
  const world = standardWorld();
  const users = (world['users'] as { username: string }[]).map((user) =>
    user.username === 'bob' ? { ...user, profile_image_url: OWN_PICTURE } : user,
  );
  app = await startTestApp({ world: { ...world, users } });
});
afterAll(() => app.close());

const pictureOf = async (username: string): Promise<string> =>
  (await app.get(`/2/users/by/username/${username}?user.fields=profile_image_url`, app.bearer)).body.data
    .profile_image_url;

async function fetchPicture(url: string) {
  const answer = await inject(app.pipit.app, { method: 'GET', url: url.slice(TEST_URL.length) });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
}

test('a user without a picture gets one with initials, in each requested size', async () => {
  const url = await pictureOf('alice');
  expect(url).toBe(`${TEST_URL}/profile_images/${USERS.alice}/A_normal.png`);
  const sizes = { _normal: 48, _bigger: 73, _mini: 24, _400x400: 400, '': 400 };
  for (const [form, size] of Object.entries(sizes)) {
    const { status, headers, bytes } = await fetchPicture(url.replace('_normal', form));
    expect([form, status, headers['content-type']]).toEqual([form, 200, 'image/png']);
    expect(headers['cache-control']).toContain('immutable');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: size, height: size });
    const { channels } = await sharp(bytes).stats();
    expect(channels.every(({ max, stdev }) => max === 255 && stdev > 10)).toBe(true);
  }
});

test('default pictures are deterministic, differ by user, and are cached', async () => {
  const [alice, again, carol] = await Promise.all([
    fetchPicture(await pictureOf('alice')),
    fetchPicture(await pictureOf('alice')),
    fetchPicture(await pictureOf('carol')),
  ]);
  expect(alice.bytes.equals(again.bytes)).toBe(true);
  expect(alice.bytes.equals(carol.bytes)).toBe(false);
  const known = await app.request({
    method: 'GET',
    url: (await pictureOf('alice')).slice(TEST_URL.length),
    headers: { 'if-none-match': String(alice.headers.etag) },
  });
  expect(known.status).toBe(304);
});

test('a picture from a world or an archive is kept, and v1.1 reports which is a default', async () => {
  expect(await pictureOf('bob')).toBe(OWN_PICTURE);
  const own = async (username: string) => {
    const keys = await app.oauth1(username);
    const authorization = signHeader({
      method: 'GET',
      url: `${TEST_URL}${VERIFY}`,
      consumerKey: keys.appKey,
      consumerSecret: keys.appSecret,
      token: keys.accessToken,
      tokenSecret: keys.accessSecret,
      timestampSeconds: Math.floor(Date.now() / 1000),
      nonce: randomUUID(),
    });
    return (await app.request({ method: 'GET', url: VERIFY, headers: { authorization } })).body;
  };
  expect(await own('bob')).toMatchObject({ default_profile_image: false, profile_image_url: OWN_PICTURE });
  expect(await own('alice')).toMatchObject({
    default_profile_image: true,
    profile_image_url_https: await pictureOf('alice'),
  });
});

test('a changed name changes the URL', async () => {
  await app.load({ users: [{ id: '1999', username: 'zoe', name: 'Zoë Świder' }] });
  expect(await pictureOf('zoe')).toBe(`${TEST_URL}/profile_images/1999/ZS_normal.png`);
});

test.each([
  ['Alice', 'a', 'A'],
  ['alice  van der Berg', 'a', 'AB'],
  ['Éva Őri', 'a', 'EO'],
  ['“Quoted” Name', 'a', 'QN'],
  ['🦆 Duck', 'quack', 'D'],
  ['山田', 'yamada', 'Y'],
  ['<script>', 'x', 'S'],
  ['7 Dwarfs', 'x', '7D'],
  ['山田', '___', 'user'],
])('the initials of %s (@%s) are %s', (name, username, initials) => {
  expect(initialsOf({ name, username })).toBe(initials);
});

test.each([
  'x/A_normal.png',
  '1/A_huge.png',
  '1/ABC_normal.png',
  '1/%3Csvg%3E_normal.png',
  '1/A_normal.svg',
  `${'9'.repeat(20)}/A_normal.png`,
  '1/A__proto__.png',
])('an invalid picture path returns 404: %s', async (path) => {
  expect((await app.get(`/profile_images/${path}`)).status).toBe(404);
});
