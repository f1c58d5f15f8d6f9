import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { suspendAccount } from '../../src/services/accounts/standing.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser, type Browser } from './support/browser.js';
import { expectValidPage, textOf } from './support/pages.js';
import { PAGE_POSTS as P, publicWorld } from './support/public-world.js';
import { PASSWORDS, webWorld } from './support/web-world.js';
import { POSTS } from '../support/world.js';

/** The tabs of profiles: posts, replies, media, likes and articles, without script. */

const TABS = ['with_replies', 'media', 'likes', 'articles'] as const;

let app: TestApp;
let visitor: Browser;
let bob: Browser;

beforeAll(async () => {
  const world = publicWorld();
  const withPasswords = new Map(
    webWorld().users?.map((user) => [(user as { username: string }).username, user]),
  );
  const users = world['users']?.map((user) => ({
    ...(withPasswords.get((user as { username: string }).username) as object | undefined),
    ...(user as object),
    ...((user as { username: string }).username === 'alice' && { pinned_post: P.top }),
  }));
  const likes = [
    { user: 'dave', post: POSTS.hello },
    { user: 'alice', post: POSTS.secret },
    { user: 'alice', post: P.answer },
  ];
  app = await startTestApp({ world: { ...world, users, likes } });
  [visitor, bob] = [openBrowser(app), openBrowser(app)];
  await bob.signIn('bob', PASSWORDS.bob);
});
afterAll(() => app.close());

const idsOf = ({ text }: { readonly text: string }): string[] =>
  [...text.matchAll(/id="post-(\d+)"/g)].map(([, id = '']) => id);

describe('the posts of a profile', () => {
  test('begin with the pinned one, which is not repeated, and have no replies', async () => {
    const page = await visitor.get('/alice');
    const ids = idsOf(page);
    expect(ids[0]).toBe(P.top);
    expect(ids.filter((id) => id === P.top)).toHaveLength(1);
    expect(textOf(page)).toMatch(/Pinned\s+Alice.*The top of a conversation/);
    expect(idsOf(await visitor.get(`/alice?before=${P.photos}`))[0]).not.toBe(P.photos);
    expect(idsOf(await visitor.get('/bob'))).not.toContain(P.answer);
  });

  test('with replies, media and likes have tabs', async () => {
    expect(idsOf(await visitor.get('/bob/with_replies'))).toContain(P.answer);
    const media = await visitor.get('/alice/media');
    expect(idsOf(media)).toEqual([P.video, P.photos]);
    expect(media.text).toContain('aria-current="page">Media</a>');
    expect(idsOf(await visitor.get('/alice/likes'))).toEqual([P.answer]);
    expect(idsOf(await bob.get('/alice/likes'))).toEqual(expect.arrayContaining([P.answer, POSTS.secret]));
    for (const tab of TABS) expectValidPage(await visitor.get(`/alice/${tab}`), tab, 'public, no-cache');
  });

  test('say what is missing where there are none', async () => {
    for (const [tab, none] of [
      ['', 'No posts yet.'],
      ['/with_replies', 'No posts or replies yet.'],
      ['/media', 'No pictures or videos yet.'],
      ['/likes', 'No likes yet.'],
      ['/articles', 'No articles yet.'],
    ] as const)
      expect(textOf(await visitor.get(`/quiet${tab}`))).toContain(none);
  });

  test('media come in pages, also when they are rare', async () => {
    const media = Array.from({ length: 23 }, (_, n) => ({
      media_key: `3_95${n}`,
      type: 'photo',
      owner: 'quiet',
      url: `http://pipit.test/media/95${n}/${'p'.repeat(32)}.jpg`,
    }));
    const posts = Array.from({ length: 600 }, (_, n) => ({
      id: String(1_700_000_000_000_000_000n + BigInt(n)),
      author: 'quiet',
      text: `Number ${n}`,
      ...(n % 27 === 0 && { media: [`3_95${n / 27}`] }),
    }));
    await app.load({ media, posts });
    const seen: string[] = [];
    let path: string | undefined = '/quiet/media';
    for (let pages = 0; path !== undefined && pages < 5; pages += 1) {
      const page = await visitor.get(path);
      seen.push(...idsOf(page));
      path = /href="([^"]+)" rel="next"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
    }
    const expected = posts.filter((post) => 'media' in post).map(({ id }) => id);
    expect(seen).toEqual(expected.toReversed());
  });
});

test('articles have a tab once there are any', async () => {
  expect((await visitor.get('/carol')).text).not.toContain('/carol/articles');
  const token = await app.as('carol');
  const draft = await app.post('/2/articles/draft', token, {
    title: 'On herons',
    content_state: { blocks: [{ type: 'unstyled', text: 'They stand still.' }], entities: [] },
  });
  const published = await app.post(`/2/articles/${draft.body.data.id}/publish`, token, {});
  const id = String(published.body.data.post_id);
  expect((await visitor.get('/carol')).text).toContain('href="/carol/articles"');
  expect(idsOf(await visitor.get('/carol/articles'))).toEqual([id]);
  const { body } = await app.get(`/_pipit/users/1003/articles`, app.bearer);
  expect([body.data[0].id, body.meta.result_count]).toEqual([id, 1]);
});

describe('what a viewer may not see', () => {
  test('the tabs of a protected account show nothing to others', async () => {
    for (const tab of TABS) {
      const page = await visitor.get(`/dave/${tab}`);
      expectValidPage(page, tab);
      expect(idsOf(page)).toEqual([]);
      expect(textOf(page)).toContain('These posts are protected');
    }
    expect(idsOf(await bob.get('/dave/likes'))).toEqual([POSTS.hello]);
  });

  test('nor those of an account that blocks the viewer, or is suspended', async () => {
    await app.post('/2/users/1003/blocking', await app.as('carol'), { target_user_id: '1002' });
    for (const tab of TABS) expect(textOf(await bob.get(`/carol/${tab}`))).toContain('You are blocked');
    await suspendAccount(app.pipit.backend, 1012n as UserId, true);
    for (const tab of TABS) expect((await visitor.get(`/gone/${tab}`)).status).toBe(403);
  });

  test('each tab has one address', async () => {
    expect((await visitor.get('/ALICE/media?before=5')).location).toBe('/alice/media?before=5');
    expect((await visitor.get('/i/user/1001/likes')).location).toBe('/alice/likes');
    expect((await visitor.get('/nobody/likes')).status).toBe(404);
    expect((await visitor.get('/alice/likes?page=x')).status).toBe(400);
  });
});
