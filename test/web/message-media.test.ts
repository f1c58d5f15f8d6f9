import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gif, mp4, png } from '../api/support/media-files.js';
import { openUploads, type Uploads } from '../api/support/uploads.js';
import { USERS } from '../support/world.js';
import { openBrowser, type Browser } from './support/browser.js';
import { expectValidPage, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/**
 * The page linked from a message with media (docs/api/messages.md): alice writes to bob, and erin is signed in as
 * well.
 */

const ERIN = { id: '1009', username: 'erin', name: 'Erin', password: 'correct horse erin' } as const;
const EXTERNAL = '5_801';
const MISSING = '5_802';

let app: Uploads;
let bob: Browser;

beforeAll(async () => {
  const { users = [], ...others } = webWorld();
  app = await openUploads({
    world: {
      ...others,
      users: [...users, ERIN].map((user) => ({ ...(user as object), receives_dms: 'everyone' })),
      media: [
        { media_key: EXTERNAL, type: 'photo', url: 'https://pictures.example/1.jpg', owner: 'alice' },
        { media_key: MISSING, type: 'photo', url: 'javascript:alert(1)', owner: 'alice' },
      ],
    },
  });
  bob = openBrowser(app);
  await bob.signIn('bob', PASSWORDS.bob);
});
afterAll(() => app.close());

/** Sends a message of alice with these media and returns the path of its link. */
async function sent(mediaId: string, text?: string, to: string = USERS.bob): Promise<string> {
  const body = { ...(text !== undefined && { text }), attachments: [{ media_id: mediaId }] };
  const answer = await app.json('POST', `/2/dm_conversations/with/${to}/messages`, body);
  const { body: event } = await app.json('GET', `/2/dm_events/${answer.body.data.dm_event_id as string}`);
  return new URL(String(event.data.text).split(' ').at(-1) ?? '').pathname;
}

test('shows a photo with description, sender, time and text', async () => {
  const mediaId = await app.uploaded(await png(), 'dm_image');
  const described = { id: mediaId, metadata: { alt_text: { text: 'A "wren" & its <nest>' } } };
  expect((await app.json('POST', '/2/media/metadata', described)).status).toBe(200);
  const path = await sent(mediaId, 'Look <b>here</b>\nand there');
  expect(path).toMatch(/^\/messages\/media\/\d+$/);
  const page = await bob.get(path);
  expect(page.status).toBe(200);
  expectValidPage(page, path);
  expect(page.text).toContain('<title>Photo in a message · Pipit</title>');
  expect(textOf(page)).toMatch(/From Alice @alice, 7 October 2022 , 22:42 UTC/);
  expect(page.text).toContain('Look &lt;b&gt;here&lt;/b&gt;\nand there</p>');
  const [, src = '', alt] =
    /<img src="([^"]+)" alt="([^"]*)" width="6" height="4" loading="lazy" \/>/.exec(page.text) ?? [];
  expect(alt).toBe('A &quot;wren&quot; &amp; its &lt;nest&gt;');
  expect((await app.file(`http://pipit.test${src}`)).headers['content-type']).toBe('image/png');
  expect(page.headers['content-security-policy']).toContain(`img-src 'self' blob:; media-src 'self' blob:`);
});

test('shows a video with its preview, and an animated picture', async () => {
  const video = await bob.get(await sent(await app.uploaded(mp4(), 'dm_video')));
  expectValidPage(video, 'video');
  const pattern = /<video\s+src="(\/media\/[^"]+\.mp4)"\s+aria-label="([^"]+)"\s+poster="(\/media\/[^"]+)"/;
  const [, src = '', label, poster = ''] = pattern.exec(video.text) ?? [];
  expect(label).toBe('Video without a description');
  for (const path of [src, poster]) expect((await app.file(`http://pipit.test${path}`)).status).toBe(200);
  const animated = await bob.get(await sent(await app.uploaded(gif(), 'dm_gif')));
  // It plays when opened.
  expect(animated.text).toMatch(/<a class="still" href="\/media\/[^"]+\.gif">/);
  expect(animated.text).toMatch(/<img src="\/media\/[^"]+\.(?:png|jpg)" alt="Animated GIF without/);
  expect(animated.text).not.toMatch(/<img[^>]+\.gif"/);
});

test('links to files of other servers only when they exist', async () => {
  const external = await bob.get(await sent('801'));
  expect(external.text).toContain(
    '<a href="https://pictures.example/1.jpg" rel="nofollow noopener noreferrer">',
  );
  expect(external.text).not.toContain('<img');
  const missing = await bob.get(await sent('802'));
  expectValidPage(missing, 'a file that is missing');
  expect(textOf(missing)).toContain('this server does not have the file.');
});

describe('is visible to participants', () => {
  test('after signing in, which returns to the page', async () => {
    const path = await sent(await app.uploaded(await png()));
    const stranger = openBrowser(app);
    const answer = await stranger.get(path);
    expect([answer.status, answer.location]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`]);
    const page = await stranger.follow(await stranger.signIn('bob', PASSWORDS.bob, path));
    expect(page.text).toContain('Photo in a message');
  });

  test('and returns 404 to others, like an invalid link', async () => {
    const path = await sent(await app.uploaded(await png()));
    const text = await app.json('POST', `/2/dm_conversations/with/${USERS.bob}/messages`, { text: 'Hello' });
    const erin = openBrowser(app);
    await erin.signIn(ERIN.username, ERIN.password);
    const refused = await erin.get(path);
    expect(refused.status).toBe(404);
    expectValidPage(refused, path);
    for (const id of ['1', '0', 'x', '9'.repeat(30), String(text.body.data.dm_event_id)]) {
      const { status, text: page } = await erin.get(`/messages/media/${id}`);
      expect([id, status]).toEqual([id, 404]);
      expect(page.replaceAll(/value="[^"]*"/g, '')).toBe(refused.text.replaceAll(/value="[^"]*"/g, ''));
    }
  });

  test('who have not deleted the message', async () => {
    const path = await sent(await app.uploaded(await png()));
    const alice = openBrowser(app);
    await alice.signIn('alice', PASSWORDS.alice);
    await app.json('DELETE', `/2/dm_events/${path.split('/').at(-1) ?? ''}`, undefined, 'bob');
    expect([(await bob.get(path)).status, (await alice.get(path)).status]).toEqual([404, 200]);
  });
});
