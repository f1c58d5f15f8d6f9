import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { indexAllPending } from '../../src/services/search/index-posts.js';
import { suspendAccount } from '../../src/services/accounts/standing.js';
import { startTestApp, TEST_URL, type TestApp } from '../support/app.js';
import { POSTS } from '../support/world.js';
import { openBrowser, type Browser } from './support/browser.js';
import { expectValidPage, textOf } from './support/pages.js';
import { HOSTILE_ID, PAGE_POSTS as P, publicWorld, RESERVED_ID } from './support/public-world.js';
import { PASSWORDS } from './support/web-world.js';

const ACCEPT = { accept: 'text/html,*/*;q=0.8' };

let app: TestApp;
let stranger: Browser;

beforeAll(async () => {
  const world = publicWorld();
  const users = (world['users'] as { username: string }[]).map((user) => ({
    ...user,
    ...(user.username === 'bob' && { password: PASSWORDS.bob }),
    ...(user.username === 'alice' && { password: PASSWORDS.alice }),
    ...(user.username === 'mallory' && { password: MALLORY_PASSWORD }),
  }));
  app = await startTestApp({ world: { ...world, users } });
  await suspendAccount(app.pipit.backend, 1012n as UserId, true);
  stranger = openBrowser(app);
});
afterAll(() => app.close());

const MALLORY_PASSWORD = 'correct horse mallory';

async function signedIn(username: string, password: string): Promise<Browser> {
  const browser = openBrowser(app);
  await browser.signIn(username, password);
  return browser;
}

describe('the page of a post', () => {
  test('shows the post, its author and its conversation in order to a stranger', async () => {
    const page = await stranger.get(`/bob/status/${P.answer}`);
    expect(page.status).toBe(200);
    expectValidPage(page, 'post', 'public, no-cache');
    const text = textOf(page);
    expect(text).toMatch(/The top of a conversation.*Bob.*@bob.*An answer.*Replies.*An answer to the answer/);
    expect(page.text).toContain(`<link rel="canonical" href="${TEST_URL}/bob/status/${P.answer}" />`);
    expect(page.text).toContain('<meta property="og:title" content="Bob (@bob)" />');
    expect(page.text).toContain('<meta property="og:description" content="@alice An answer" />');
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.headers.vary).toBe('cookie, accept-language, accept-encoding');
  });

  test('omits hidden replies with everything below them, and posts hidden from the visitor', async () => {
    const text = textOf(await stranger.get(`/alice/status/${P.top}`));
    expect(text).toContain('An answer to the answer');
    expect(text).toContain('The author of the conversation hid some replies');
    for (const absent of ['Hidden from all', 'Below a hidden one', 'For followers only', 'dave'])
      expect(text).not.toContain(absent);
    const follower = await signedIn('bob', PASSWORDS.bob);
    expect(textOf(await follower.get(`/alice/status/${P.top}`))).toContain('For followers only');
    expect(textOf(await stranger.get(`/mallory/status/${P.hidden}`))).toContain('Hidden by the author');
  });

  test('shows the newest version of edited replies, and links to it from earlier ones', async () => {
    const token = await app.as('bob');
    const create = async (body: object): Promise<string> => {
      const answer = await app.post('/2/tweets', token, body);
      return answer.body.data.id;
    };
    const root = await create({ text: 'A root' });
    const first = await create({ text: 'A raply', reply: { in_reply_to_tweet_id: root } });
    const second = await create({ text: 'A reply', edit_options: { previous_post_id: first } });
    await create({ text: 'Below', reply: { in_reply_to_tweet_id: second } });
    const text = textOf(await stranger.get(`/bob/status/${root}`));
    expect(text).toMatch(/A root.*Replies.*A reply.*Below/);
    expect(text).not.toContain('A raply');
    expect(textOf(await stranger.get(`/bob/status/${second}`))).toMatch(/A root.*A reply.*Replies.*Below/);
    const earlier = await stranger.get(`/bob/status/${first}`);
    expect(textOf(earlier)).toMatch(/newer version.*A raply.*Below/);
    expect(earlier.text).toContain(`href="/bob/status/${second}"`);
    expect(textOf(await stranger.get('/bob'))).not.toContain('A raply');
  });

  test.each([
    [`/Bob/status/${P.answer}`, `/bob/status/${P.answer}`],
    [`/carol/status/${P.answer}?after=1`, `/bob/status/${P.answer}?after=1`],
    [`/i/status/${P.answer}`, `/bob/status/${P.answer}`],
    [`/i/web/status/${P.answer}`, `/bob/status/${P.answer}`],
    [`/bob/statuses/${P.answer}`, `/bob/status/${P.answer}`],
    [`/bob/status/${POSTS.repost}`, `/alice/status/${POSTS.hello}`],
    [`/x/status/${P.photos}/photo/2`, `/alice/status/${P.photos}/photo/2`],
    [`/alice/status/${P.photos}/photo/9`, `/alice/status/${P.photos}`],
    [`/media/status/${P.entities}`, undefined],
  ])('%s redirects to %s', async (path, location) => {
    const answer = await stranger.get(path, ACCEPT);
    expect(answer.location).toBe(location);
  });

  test('of an account with a reserved name has a neutral path', async () => {
    const page = await stranger.get(`/i/status/${P.entities}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`href="/i/user/${RESERVED_ID}"`);
    expect((await stranger.get(`/i/user/${RESERVED_ID}`)).status).toBe(200);
  });

  test('shows the whole of a long post; other pages link to it', async () => {
    const id = '1600000000000000100';
    const text = `${'pond '.repeat(60)}heron https://example.com/end`;
    await app.load({
      users: [{ id: '1014', username: 'wordy', name: 'Wordy', subscription_type: 'Premium' }],
      posts: [{ id, author: 'wordy', text }],
    });
    const page = await stranger.get(`/wordy/status/${id}`);
    expect(textOf(page)).toContain('pond heron example.com/end');
    expect(page.text).toContain('<a href="https://example.com/end"');
    const profile = await stranger.get('/wordy');
    expect(textOf(profile)).toContain('pon… Show all');
    expect(profile.text).toContain(`<a href="/wordy/status/${id}">Show all</a>`);
    expect(profile.text).not.toContain('heron');
  });

  test('shows an article and what its author discloses', async () => {
    const alice = await app.as('alice');
    const content_state = { blocks: [{ type: 'unstyled', text: 'Body <b> of the article' }], entities: [] };
    const draft = await app.post('/2/articles/draft', alice, { title: 'On ponds', content_state });
    const { body } = await app.post(`/2/articles/${draft.body.data.id}/publish`, alice, {});
    const page = await stranger.get(`/alice/status/${body.data.post_id}`);
    expect(textOf(page)).toContain('On ponds Body &lt;b&gt; of the article');
    const paid = await app.post('/2/tweets', alice, {
      text: 'Ad',
      paid_partnership: true,
      made_with_ai: true,
    });
    expect(textOf(await stranger.get(`/alice/status/${paid.body.data.id}`))).toContain('Paid partnership');
  });

  test('links entities of the text that have a target', async () => {
    const { text } = await stranger.get(`/i/status/${P.entities}`);
    expect(text).toContain(
      '<a href="https://example.com/?a=1&amp;b=2" rel="nofollow noopener noreferrer ugc"',
    );
    expect(text).toContain('<a href="/bob" dir="ltr">@bob</a> and @nobody about');
    expect(text).toContain('<a href="/hashtag/ponds">#ponds</a> and <a href="/cashtag/POND">$POND</a>');
    expect(text).toContain('&amp; &lt;more&gt;');
  });

  test('shows photos with descriptions and pages of their own, without their link in the text', async () => {
    const page = await stranger.get(`/alice/status/${P.photos}`);
    expect(page.text).toContain('alt="Photo 1 &lt;of&gt; &quot;four&quot;"');
    expect(page.text.match(/<img src="\/media\/90\d/g)).toHaveLength(4);
    expect(page.text).toContain('content="summary_large_image"');
    expect(page.text).toContain(`<meta property="og:image" content="${TEST_URL}/media/901/`);
    expect(textOf(page)).toContain('The &lt;Pond&gt;, Nowhere');
    expect(textOf(page)).not.toContain('/photo/1');
    const photo = await stranger.get(`/alice/status/${P.photos}/photo/2`);
    expect(photo.text.match(/<img src="\/media\/90\d/g)).toEqual(['<img src="/media/902']);
    expect(textOf(photo)).toContain('Photo 2');
    expect(textOf(photo)).toMatch(/Previous\s+2 of 4\s+Next/);
    expect(photo.text).toContain(`href="/alice/status/${P.photos}/photo/3"`);
  });

  test('links files of other servers instead of loading them', async () => {
    const page = await stranger.get(`/alice/status/${P.video}`);
    expect(page.text).toContain('href="https://elsewhere.example/v.mp4"');
    expect(page.text).not.toMatch(/(?:src|poster)="https?:/);
  });

  test('embeds a quoted post without its link, or reports it as unavailable', async () => {
    const quote = await stranger.get(`/bob/status/${P.quote}`);
    expect(textOf(quote)).toMatch(/See this\s+Alice.*Four photos/);
    expect(textOf(quote)).not.toContain('pipit.test');
    const text = textOf(await stranger.get(`/bob/status/${P.quotesSecret}`));
    expect(text).toContain('The quoted post is not available');
    expect(text).not.toContain('followers reads');
  });

  test('shows the results of a poll', async () => {
    const text = textOf(await stranger.get(`/alice/status/${P.poll}`));
    expect(text).toMatch(/&lt;b&gt;One&lt;\/b&gt; 75%\s+Two 25%\s+4 votes · final results/);
  });

  test('shows texts and names escaped, whatever they contain', async () => {
    for (const path of [`/hostile/status/${P.hostile}`, '/hostile']) {
      const page = await stranger.get(path);
      expectValidPage(page, path, 'public, no-cache');
      expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(page.text).toMatch(/<title>[^<\u202e]+<\/title>/u);
      // The text of a post is unchanged, in an element with its own direction.
      expect(page.text.replaceAll(/<div class="text"[^]*?<\/div>/g, '')).not.toMatch(
        /[\u00ad\u200b\u202e\u2066\u3164]/u,
      );
      expect(page.text).not.toMatch(/<b>|<i>|<img src=x|(?:src|poster)="https?:/);
    }
  });
});

describe('hidden content is reported without details', () => {
  test.each([
    [`/dave/status/${POSTS.secret}`, 403],
    [`/x/status/${POSTS.secret}`, 403],
    [`/x/status/${POSTS.secret}/photo/1`, 403],
    [`/x/status/${P.suspended}`, 403],
    ['/gone', 403],
    ['/i/user/1012', 403],
    ['/nobody', 404],
    ['/alice/status/1', 404],
    ['/alice/status/x', 404],
    ['/i/user/9999', 404],
    ['/alice/status/99999999999999999999', 404],
  ])('%s: %i', async (path, status) => {
    const page = await stranger.get(path, ACCEPT);
    expect(page.status).toBe(status);
    expectValidPage(page, path);
    expect(page.text).not.toMatch(/Dave|Nobody but|Of a suspended|og:|Gone/);
  });

  test('followers see protected posts, on pages that are not cached or indexed', async () => {
    const bob = await signedIn('bob', PASSWORDS.bob);
    const page = await bob.get(`/dave/status/${POSTS.secret}`);
    expect(textOf(page)).toContain('Nobody but followers reads this');
    expectValidPage(page, 'protected');
    expect(page.text).not.toContain('og:');
    expect(page.text).toContain('noindex');
    expect(textOf(await bob.get('/dave'))).toContain('Nobody but followers reads this');
  });

  test('a protected profile is shown without posts', async () => {
    const page = await stranger.get('/dave');
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain('These posts are protected');
    expect(page.text).not.toContain('Nobody but followers');
    expectValidPage(page, '/dave');
  });

  test('a blocked user sees no posts', async () => {
    const mallory = await signedIn('mallory', MALLORY_PASSWORD);
    expect((await mallory.get(`/alice/status/${POSTS.hello}`)).status).toBe(403);
    const profile = await mallory.get('/alice');
    expect(textOf(profile)).toContain('You are blocked');
    expect(profile.text).not.toContain('Hello from the pond');
  });

  test('a deleted post returns 404 at once', async () => {
    const token = await app.as('alice');
    const { id } = (await app.post('/2/tweets', token, { text: 'Soon gone' })).body.data;
    expect((await stranger.get(`/alice/status/${id}`)).status).toBe(200);
    await app.delete(`/2/tweets/${id}`, token);
    expect((await stranger.get(`/alice/status/${id}`, ACCEPT)).status).toBe(404);
  });
});

describe('the page of a profile', () => {
  test('shows the profile, counts and posts, newest first, in pages', async () => {
    const page = await stranger.get('/alice');
    expectValidPage(page, '/alice', 'public, no-cache');
    expect(textOf(page)).toMatch(
      /Alice @alice .*Joined 1 January 2020.*posts.*2 followers.*Careful.*The top.*Hello/,
    );
    const posts = Array.from({ length: 45 }, (_, index) => ({
      id: String(1_700_000_000_000_000_000n + BigInt(index)),
      author: 'quiet',
      text: `Number ${index}.`,
    }));
    expect(textOf(await stranger.get('/quiet'))).toContain('No posts yet');
    await app.load({ posts });
    const seen: string[] = [];
    let path: string | undefined = '/quiet';
    for (let pages = 0; path !== undefined && pages < 5; pages += 1) {
      const { text }: { text: string } = await stranger.get(path);
      seen.push(...[...text.matchAll(/Number (\d+)\./g)].map(([, number = '']) => number));
      path = /href="([^"]+)" rel="next"/.exec(text)?.[1];
    }
    expect(seen).toEqual(posts.map((_, index) => String(44 - index)));
  });

  test('has one canonical address', async () => {
    expect((await stranger.get('/ALICE')).location).toBe('/alice');
    expect((await stranger.get(`/i/user/${HOSTILE_ID}`)).location).toBe('/hostile');
  });

  test('shows reposts as the original, with the reposting user', async () => {
    expect(textOf(await stranger.get('/bob'))).toMatch(/Bob reposted Alice.*Hello from the pond/);
  });
});

test('the page of a tag lists the public posts with it', async () => {
  await indexAllPending(app.pipit.backend.engine, () => false);
  const page = await stranger.get('/hashtag/BIRDS');
  expectValidPage(page, 'tag', 'public, no-cache');
  expect(textOf(page)).toMatch(/#BIRDS.*Alice.*Hello from the pond #birds/);
  expect(textOf(await stranger.get('/cashtag/POND'))).toContain('Read example.com');
  expect(textOf(await stranger.get('/hashtag/%E9%B3%A5'))).toContain('No public posts');
  for (const tag of ['a%20OR%20b', '%22', 'x%3Ay', '%3Cb%3E'])
    expect([tag, (await stranger.get(`/hashtag/${tag}`)).status]).toEqual([tag, 404]);
  for (const tag of ['123', '%C3%BCml', 'A.', '%E2%80%8B'])
    expect([tag, (await stranger.get(`/cashtag/${tag}`)).status]).toEqual([tag, 404]);
  expect((await stranger.get('/hashtag/a%E2%80%8Cb')).status).toBe(404);
  expect((await stranger.get('/cashtag/POND.B')).status).toBe(200);
});

test('programs get the documented problem for unknown pages', async () => {
  for (const path of [
    '/nobody',
    '/alice/status/1',
    '/2',
    '/i',
    '/media',
    '/alice/',
    '/too_long_for_a_username',
  ]) {
    const answer = await app.request({ method: 'GET', url: path });
    expect([path, answer.status, answer.body.title]).toEqual([path, 404, 'Not Found']);
  }
  expect((await app.post('/alice')).status).toBe(404);
});
