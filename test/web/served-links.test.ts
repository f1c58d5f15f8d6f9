import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { endpoints } from '../../src/api/route-table.js';
import { isReservedUsername } from '../../src/core/reserved-usernames.js';
import { urlsOf, type CallValues, type UrlWorld } from '../api/support/endpoint-urls.js';
import { gif, mp4, png } from '../api/support/media-files.js';
import { openUploads, type Uploads } from '../api/support/uploads.js';
import { TEST_URL } from '../support/app.js';
import { USERS } from '../support/world.js';
import { openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { linksOf } from './support/pages.js';
import { PAGE_POSTS, publicWorld, RESERVED_ID } from './support/public-world.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/**
 * Opens every link to this server in the responses of the API, in a world with one of each kind, and every link of
 * the pages behind them.
 */

const LIST = '501';
const SPACE = 's1';
const OWN_URL = new RegExp(`${TEST_URL}[^\\s"\\\\<>]*`, 'g');

let app: Uploads;
let browser: Browser;
let eventIds: string[];
/** The posts of the file and of the API. */
let postIds: string[];

beforeAll(async () => {
  const world = publicWorld();
  const { users = [] } = webWorld();
  app = await openUploads({
    world: {
      ...world,
      users: [...users, ...(world['users'] ?? []).slice(users.length)].map((user) => ({
        ...(user as object),
        receives_dms: 'everyone',
      })),
      lists: [{ id: LIST, owner: 'alice', name: 'Birds', members: ['alice', 'bob', 'media', 'hostile'] }],
      spaces: [{ id: SPACE, creator: 'alice', title: 'Birds', state: 'live', posts: [PAGE_POSTS.photos] }],
    },
  });
  browser = openBrowser(app);
  await browser.signIn('alice', PASSWORDS.alice);
  const photo = await app.uploaded(await png());
  const posted = [
    await post({ text: 'A photo', media: { media_ids: [photo] } }),
    await post({ text: 'Moving', media: { media_ids: [await app.uploaded(gif(), 'tweet_gif')] } }),
    await post({ text: 'Film', media: { media_ids: [await app.uploaded(mp4(), 'tweet_video')] } }),
    await post({ text: 'Quotes one of a reserved name', quote_tweet_id: PAGE_POSTS.entities }),
    await post({ text: 'Quotes', quote_tweet_id: PAGE_POSTS.photos }),
  ];
  const message = { attachments: [{ media_id: await app.uploaded(await png(), 'dm_image') }] };
  const sent = await app.json('POST', `/2/dm_conversations/with/${USERS.bob}/messages`, message);
  eventIds = [String(sent.body.data.dm_event_id)];
  postIds = [...Object.values(PAGE_POSTS), ...posted];
});
afterAll(() => app.close());

async function post(body: object): Promise<string> {
  const answer = await app.json('POST', '/2/tweets', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(answer.body.data.id);
}

/** Calls of the endpoints whose parameters do not determine them. */
const WAYS: Readonly<Record<string, readonly CallValues[]>> = {
  listIdGet: [{ id: LIST }],
  listsIdTweets: [{ id: LIST }],
  listGetMembers: [{ id: LIST }],
  listGetFollowers: [{ id: LIST }],
  searchSpaces: [{ query: 'Birds' }],
  findSpacesByIds: [{ ids: SPACE }],
  findSpacesByCreatorIds: [{ user_ids: USERS.alice }],
  findSpaceById: [{ id: SPACE }],
  spaceTweets: [{ id: SPACE }],
  spaceBuyers: [{ id: SPACE }],
  tweetsFullarchiveSearch: [{ query: 'from:alice OR from:bob', start_time: '2020-01-01T00:00:00Z' }],
  tweetsRecentSearch: [{ query: 'from:alice' }],
  getMediaByMediaKey: [{ media_key: '3_901' }],
  getMediaByMediaKeys: [{ media_keys: '3_901' }],
};

const readers = endpoints.filter(
  ({ method, access, response, path, streams }) =>
    method === 'GET' &&
    access !== 'public' &&
    streams !== true &&
    !/counts|compliance|usage/.test(path) &&
    response !== undefined,
);

/** Returns every link to this server in the responses to alice, or to the app where users have no access. */
async function servedLinks(): Promise<Set<string>> {
  const world: UrlWorld = {
    postIds,
    userIds: [USERS.alice, USERS.bob, RESERVED_ID],
    usernames: ['alice', 'bob', 'media', 'hostile'],
    dmEventIds: eventIds,
    ownId: USERS.alice,
  };
  const links = new Set<string>();
  for (const endpoint of readers) {
    for (const url of callsOf(endpoint, world)) {
      for (const [link] of (await textAt(endpoint, url)).matchAll(OWN_URL)) links.add(link);
    }
  }
  return links;
}

function callsOf(endpoint: AnyEndpoint, world: UrlWorld): string[] {
  try {
    return urlsOf(endpoint, world, WAYS[endpoint.operationId]);
  } catch {
    return [];
  }
}

async function textAt({ access }: AnyEndpoint, url: string): Promise<string> {
  const isForUsers = access !== 'public' && access.contexts.includes('oauth2');
  const answer = isForUsers ? await app.json('GET', url) : await app.get(url, app.bearer);
  return JSON.stringify(answer.body ?? '');
}

async function open(path: string): Promise<BrowserAnswer> {
  return browser.follow(await browser.get(path, { accept: 'text/html' }));
}

test('every link to this server leads to a page or a file, as do the links of these pages', async () => {
  const links = [...(await servedLinks())].map((link) => link.slice(TEST_URL.length));
  const kinds = [
    /\/status\/\d+$/,
    /\/photo\/1$/,
    /\/video\/1$/,
    /^\/i\/status/,
    /^\/profile_images/,
    /^\/media/,
  ];
  for (const kind of kinds)
    expect(
      links.some((link) => kind.test(link)),
      String(kind),
    ).toBe(true);
  expect(links.some((link) => link.startsWith('/messages/media/'))).toBe(true);
  const seen = new Set<string>();
  const queue = links.filter((link) => !/^\/media\/90\d\//.test(link));
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path) || seen.size > 500) continue;
    seen.add(path);
    const answer = await open(path);
    expect([path, answer.status]).toEqual([path, expected(path)]);
    if (answer.headers['content-type']?.startsWith('text/html'))
      queue.push(...linksOf(answer).filter(isOfPosts));
  }
  expect(seen.size).toBeLessThan(500);
});

/** World files can declare media without files. */
function isOfPosts(path: string): boolean {
  return !/^\/(?:media\/90|docs|my-|sign-|operator-desk)/.test(path);
}

/** Her pages can link to posts of dave, who is protected. */
function expected(path: string): number {
  return /^\/dave\/status/.test(path) ? 403 : 200;
}

test('no path of this server starts with an available username', () => {
  const available = app.pipit.app.paths
    .map((path) => path.split('/')[1] ?? '')
    .filter((step) => /^[A-Za-z0-9_]{1,15}$/.test(step) && !isReservedUsername(step));
  expect(available).toEqual([]);
});
