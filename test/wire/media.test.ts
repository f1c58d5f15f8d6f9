import { afterAll, beforeAll, expect, test as serial } from 'vitest';
import { EUploadMimeType, TwitterApi } from 'twitter-api-v2';
import { gif, jpegWithLocation, mp4, png } from '../api/support/media-files.js';
import { LocalAgent } from './support/local-agent.js';
import type { WireServer } from './support/wire-server.js';
import { ALICE_KEYS, APP, startWireServer } from './support/wire-world.js';

/** Uploads with unmodified twitter-api-v2 in both API versions; the media are posted and read back. */

// The client waits a second before it asks whether a video is ready.
const test = serial.concurrent;

let server: WireServer;
let alice: TwitterApi;

beforeAll(async () => {
  server = await startWireServer();
  const keys = { appKey: APP.apiKey, appSecret: APP.apiSecret, ...ALICE_KEYS };
  alice = new TwitterApi(keys, { httpAgent: new LocalAgent(server.port) });
});

afterAll(() => server.close());

async function postedMedia(ids: readonly string[], text: string) {
  const media = { media_ids: ids as [string] };
  const post = await alice.v2.tweet(text, { media });
  const answer = await alice.v2.singleTweet(post.data.id, {
    expansions: ['attachments.media_keys'],
    'media.fields': ['url', 'width', 'height', 'alt_text', 'duration_ms', 'preview_image_url', 'variants'],
  });
  return answer.includes?.media ?? [];
}

test('v1.uploadMedia uploads photos in chunks with a description, and the picture is served', async () => {
  const photo = await jpegWithLocation(200, 100);
  const id = await alice.v1.uploadMedia(photo, { mimeType: EUploadMimeType.Jpeg, chunkLength: 1_000 });
  await alice.v1.createMediaMetadata(id, { alt_text: { text: 'A bird on the pond' } });
  const [media] = await postedMedia([id], 'With a photo');
  expect(media).toMatchObject({ type: 'photo', width: 100, height: 200, alt_text: 'A bird on the pond' });
  const file = await fetch(String(media?.url));
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect((await file.arrayBuffer()).byteLength).toBe(Number(file.headers.get('content-length')));
});

test('v1.uploadMedia uploads animations and videos, and waits for videos', async () => {
  const moving = await alice.v1.uploadMedia(gif(), { mimeType: EUploadMimeType.Gif });
  const [animation] = await postedMedia([moving], 'With an animation');
  expect(animation).toMatchObject({ type: 'animated_gif', width: 8, height: 6 });
  const options = { mimeType: EUploadMimeType.Mp4 };
  const id = await alice.v1.uploadMedia(mp4({ durationMs: 3_000, dataBytes: 3_000_000 }), options);
  const [video] = await postedMedia([id], 'With a video');
  expect(video).toMatchObject({ type: 'video', duration_ms: 3_000, width: 64, height: 36 });
  const part = await fetch(String(video?.variants?.[0]?.url), { headers: { range: 'bytes=4-7' } });
  expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
});

test('v1.uploadMedia of a video without a category is refused', async () => {
  const refused = alice.v1.uploadMedia(mp4({ durationMs: 10 }), { mimeType: EUploadMimeType.Mp4 });
  await expect(refused).rejects.toThrow('Failed to process media: InvalidMedia');
});

test('v2.uploadMedia uploads photos, animations and videos with descriptions', async () => {
  const [one, two] = [await png(20, 10), await png(10, 20)];
  const ids = [
    await alice.v2.uploadMedia(one, { media_type: 'image/png' }),
    await alice.v2.uploadMedia(two, { media_type: 'image/png', media_category: 'tweet_image' }, 100),
  ];
  const described = await alice.v2.createMediaMetadata(String(ids[0]), { alt_text: { text: 'Reeds' } });
  expect(described).toMatchObject({ data: { id: ids[0] } });
  const media = await postedMedia(ids, 'With two photos');
  expect(media.map(({ width, alt_text: text }) => [width, text])).toEqual([
    [20, 'Reeds'],
    [10, undefined],
  ]);
  const moving = await alice.v2.uploadMedia(gif(), { media_type: 'image/gif' });
  expect(await postedMedia([moving], 'Moving')).toMatchObject([{ type: 'animated_gif' }]);
  const video = await alice.v2.uploadMedia(mp4(), { media_type: 'video/mp4' });
  expect(await postedMedia([video], 'A video')).toMatchObject([{ type: 'video', duration_ms: 2_000 }]);
});
