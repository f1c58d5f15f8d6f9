import { expect, onTestFinished, test } from 'vitest';
import { png } from '../api/support/media-files.js';
import { startUploads } from '../api/support/uploads.js';
import { inject } from '../support/inject.js';
import type { TestApp } from '../support/app.js';
import { startCopy, startWith } from './support/exported.js';
import { createRefuser, type Refusal } from './refusals.js';

/** Pictures and banners of profiles in world files. */

const NAME = 'p'.repeat(32);
/** When the server for uploads starts. */
const STARTED_MS = Date.parse('2022-10-07T22:42:12.000Z');
const FIELDS = 'user.fields=profile_image_url,profile_banner_url';

async function statusOf({ pipit }: TestApp, url: string): Promise<number> {
  return (await inject(pipit.app, { method: 'GET', url: new URL(url).pathname })).statusCode;
}

test('a picture may be one file, and a copy of the world shows it in the same sizes', async () => {
  const data = (await png(40, 40)).toString('base64');
  const media = (key: string, id: string, ending: string) => ({
    media_key: key,
    type: 'photo',
    files: [{ name: `${id}/${NAME}.${ending}`, data }],
    url: `/media/${id}/${NAME}.${ending}`,
  });
  const app = await startWith({
    users: [
      { id: '7', username: 'ada', name: 'Ada', profile_image: '19_71', profile_banner: '20_72' },
      { id: '8', username: 'bo', name: 'Bo', profile_banner_url: 'https://pictures.example/bo' },
    ],
    media: [media('19_71', '71', 'png'), media('20_72', '72', 'jpg')],
    apps: [{ id: '1', owner: 'ada', bearer_token: 'a-token' }],
  });
  onTestFinished(() => app.close());
  const asked = [`/2/users?ids=7,8&${FIELDS}`, 'a-token'] as const;
  const { copy } = await startCopy(app, [asked]);
  onTestFinished(() => copy.close());
  const { body } = await copy.get(...asked);
  expect(body.data).toMatchObject([
    {
      profile_image_url: `http://pipit.test/media/71/${NAME}_normal.png`,
      profile_banner_url: `http://pipit.test/media/72/${NAME}`,
    },
    { profile_banner_url: 'https://pictures.example/bo' },
  ]);
  const [{ profile_image_url: image, profile_banner_url: banner }] = body.data;
  for (const url of [image, image.replace('_normal', '_400x400'), banner, `${banner}/web`])
    expect(await statusOf(copy, url), url).toBe(200);
});

test('an uploaded picture is in the export with all its files', async () => {
  const app = await startUploads();
  await app.form('PUT', '/_pipit/profile/picture', { image: await png(30, 30) });
  const asked = [`/2/users/me?${FIELDS}`, await app.as('alice')] as const;
  const { world, copy } = await startCopy(app, [asked], { clock: () => STARTED_MS });
  onTestFinished(() => copy.close());
  expect(world.media[0].files).toHaveLength(8);
  expect(await statusOf(copy, (await copy.get(...asked)).body.data.profile_image_url)).toBe(200);
});

const { expectRefusal } = createRefuser();
const USER = { id: '7', username: 'ada', name: 'Ada' };
const PICTURE = { media_key: '19_71', type: 'photo', url: `/media/71/${NAME}.png` };
const AT = '$.users[0].profile_image';

const REFUSALS: readonly Refusal[] = [
  ['pictures exist', { users: [{ ...USER, profile_image: '19_71' }] }, AT, /no such media/],
  [
    'pictures are for profiles',
    {
      users: [{ ...USER, profile_image: '3_71' }],
      media: [{ ...PICTURE, media_key: '3_71' }],
    },
    AT,
    /begins with 19_/,
  ],
  [
    'pictures belong to their user',
    { users: [{ ...USER, profile_image: '19_71' }], media: [{ ...PICTURE, owner: 'alice' }] },
    AT,
    /belongs to @alice/,
  ],
  [
    'pictures are on this server',
    {
      users: [{ ...USER, profile_image: '19_71' }],
      media: [{ ...PICTURE, url: 'https://pictures.example/a.png' }],
    },
    AT,
    /begins with \/media\//,
  ],
  [
    'a picture is in one place',
    {
      users: [{ ...USER, profile_image: '19_71', profile_image_url: 'https://x.example' }],
      media: [PICTURE],
    },
    '$.users[0].profile_image_url',
    /does not go with profile_image/,
  ],
  [
    'banners are JPEG files',
    {
      users: [{ ...USER, profile_banner: '20_71' }],
      media: [{ ...PICTURE, media_key: '20_71' }],
    },
    '$.users[0].profile_banner',
    /ends with .jpg/,
  ],
];

test.each(REFUSALS)('%s', (_rule, document, path, reason) => expectRefusal(document, path, reason));
