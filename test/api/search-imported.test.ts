import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { importTwarc } from '../../src/archive/import-twarc.js';
import { streamSource } from '../../src/archive/source.js';
import type { UserId } from '../../src/core/ids.js';
import { firstIdAt } from '../../src/core/snowflake.js';
import { scrubPlaces } from '../../src/services/accounts/scrub-places.js';
import { enqueueAuthorIndexing } from '../../src/services/search/index-author.js';
import { indexImported } from '../../src/services/search/index-posts.js';
import { rebuildIndex } from '../../src/services/search/rebuild-index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';

/** Search over imported posts, whatever the order of import. */

const NOW_MS = Date.parse('2022-10-07T22:42:12.000Z');
const AUTHOR = '7001';

interface Archive extends TestApp {
  /** Imports lines in the format of twarc2, and runs the jobs. */
  imported(...lines: readonly object[]): Promise<void>;
  /** Returns the ids that a search finds and the number that counts return. */
  find(query: string): Promise<{ readonly ids: string[]; readonly count: number }>;
}

async function start(): Promise<Archive> {
  const app = await open();
  onTestFinished(app.close);
  return app;
}

async function open(): Promise<Archive> {
  const app = await startTestApp({ clock: () => NOW_MS });
  const { backend, jobs } = app.pipit;
  const { engine, queue } = backend;
  return {
    ...app,
    imported: async (...lines) => {
      const text = lines.map((line) => JSON.stringify(line)).join('\n');
      await importTwarc(
        {
          engine,
          indexPosts: (tx, posts, superseded) => indexImported(tx, engine, posts, superseded),
          indexAuthor: (tx, userId) => enqueueAuthorIndexing(tx, { queue }, userId),
        },
        [streamSource('standard input', Readable.from([Buffer.from(text)]))],
      );
      await jobs.worker.runDue();
    },
    find: async (query) => {
      const parameters = `query=${encodeURIComponent(query)}&start_time=2022-10-01T00:00:00Z`;
      const { body } = await app.get(`/2/tweets/search/all?${parameters}&max_results=100`, app.bearer);
      const counts = await app.get(`/2/tweets/counts/all?${parameters}&granularity=day`, app.bearer);
      return {
        ids: (body.data ?? []).map(({ id }: { id: string }) => id),
        count: counts.body.meta.total_tweet_count as number,
      };
    },
  };
}

function id(n: number): string {
  return String(firstIdAt(NOW_MS - 3_600_000 + n * 1_000));
}

function post(n: number, more: object = {}) {
  return { id: id(n), author_id: AUTHOR, text: `heron ${n}`, conversation_id: id(n), ...more };
}

const author = (more: object = {}) => ({ id: AUTHOR, username: 'ornis', name: 'Ornis', ...more });
const found = (...n: number[]) => ({ ids: n.map(id), count: n.length });

describe('an author imported after the posts', () => {
  it('removes them from search when protected', async () => {
    const app = await start();
    await app.imported({ data: [post(1)] });
    expect(await app.find('heron')).toEqual(found(1));
    await app.imported({ data: [post(2)], includes: { users: [author({ protected: true })] } });
    expect(await app.find('heron')).toEqual(found());
  });

  it('removes reposts of replaced versions from search when protected', async () => {
    const app = await start();
    const history = { edit_history_tweet_ids: [id(1), id(2)] };
    const repost = post(3, {
      author_id: '7002',
      text: 'RT @ornis: heron 1',
      referenced_tweets: [{ type: 'retweeted', id: id(1) }],
    });
    await app.imported({ data: [post(1, history), post(2, history), repost] });
    expect(await app.find('heron')).toEqual(found(3, 2));
    await app.imported({ data: [post(4)], includes: { users: [author({ protected: true })] } });
    expect(await app.find('heron')).toEqual(found());
  });

  it('makes them match is:verified when verified', async () => {
    const app = await start();
    await app.imported({ data: [post(1)] });
    expect(await app.find('heron is:verified')).toEqual(found());
    await app.imported({ data: [post(2)], includes: { users: [author({ verified: true })] } });
    expect(await app.find('heron is:verified')).toEqual(found(2, 1));
  });
});

describe('a long post', () => {
  const whole = {
    text: `${'pond '.repeat(60)}osprey &amp; #heron`,
    entities: { hashtags: [{ start: 313, end: 319, tag: 'heron' }] },
  };

  it('is found by its whole text, and returned as it was imported', async () => {
    const app = await start();
    await app.imported({ data: [post(1, { text: 'pond pond…', note_tweet: whole })] });
    expect(await app.find('osprey #heron')).toEqual(found(1));
    const { body } = await app.get(`/2/tweets/${id(1)}?tweet.fields=note_tweet`, app.bearer);
    expect(body.data).toMatchObject({ text: 'pond pond…', note_tweet: whole });
    await app.imported({ data: [post(1, { text: 'pond pond…' })] });
    expect(await app.find('osprey')).toEqual(found(1));
  });
});

describe('edited posts (docs/api/posts.md#edits)', () => {
  const edit_history_tweet_ids = [id(1), id(2)];

  it('are found in their newest version, also when it is imported later and after a rebuild', async () => {
    const app = await start();
    await app.imported({ data: [post(1)] });
    expect(await app.find('heron')).toEqual(found(1));
    await app.imported({ data: [post(2, { edit_history_tweet_ids })] });
    expect(await app.find('heron')).toEqual(found(2));
    await rebuildIndex(app.pipit.backend.engine, { clear: true });
    expect(await app.find('heron')).toEqual(found(2));
  });

  it('are found in their newest version when one import has both and the older has no history', async () => {
    const app = await start();
    await app.imported(post(1), post(2, { edit_history_tweet_ids: [id(1), id(2)] }));
    expect(await app.find('heron')).toEqual(found(2));
  });

  it('have the same history in all versions', async () => {
    const app = await start();
    await app.imported({ data: [post(1)] });
    await app.imported({ data: [post(2, { edit_history_tweet_ids })] });
    const { body } = await app.get(`/2/tweets?ids=${id(1)},${id(2)}`, app.bearer);
    expect(
      body.data.map((each: { edit_history_tweet_ids: string[] }) => each.edit_history_tweet_ids),
    ).toEqual([edit_history_tweet_ids, edit_history_tweet_ids]);
  });
});

describe('annotations of imported posts match', () => {
  let app: Archive;
  beforeAll(async () => {
    app = await open();
    await app.imported({
      data: [
        post(1, {
          entities: {
            urls: [
              {
                start: 0,
                end: 3,
                url: 'https://t.co/a',
                expanded_url: 'https://x.org',
                unwound_url: 'https://y.org/unwound',
              },
            ],
            cashtags: [{ start: 0, end: 3, tag: 'TWTR' }],
          },
        }),
        post(2, { in_reply_to_user_id: '9', referenced_tweets: [{ type: 'replied_to', id: '555' }] }),
        post(3, {
          context_annotations: [{ domain: { id: '10' }, entity: { id: '799', name: 'Barack Obama' } }],
        }),
        post(4, { geo: { coordinates: { type: 'Point', coordinates: [-105.28, 40.02] } } }),
        post(5, { geo: { place_id: '01a9' } }),
        post(6, { in_reply_to_user_id: '9', lang: 'qme' }),
      ],
      includes: {
        users: [author()],
        places: [
          {
            id: '01a9',
            full_name: 'Boulder, CO',
            country_code: 'US',
            geo: { type: 'Feature', bbox: [-105.301758, 39.964069, -105.178505, 40.094551], properties: {} },
          },
        ],
      },
    });
  });
  afterAll(() => app.close());

  it.each([
    ['context:10.799', [3]],
    ['context:10.*', [3]],
    ['context:*.799', [3]],
    ['context:11.799', []],
    ['heron -context:10.*', [6, 5, 4, 2, 1]],
    ['point_radius:[-105.28 40.02 1km]', [4]],
    ['point_radius:[-105.28 40.02 24mi]', [5, 4]],
    ['bounding_box:[-105.31 39.96 -105.17 40.1]', [5, 4]],
    ['bounding_box:[-105.29 40 -105.2 40.05]', [4]],
    ['heron has:geo', [5, 4]],
    ['place:"boulder co"', [5]],
    ['place_country:us', [5]],
    ['heron is:reply', [6, 2]],
    ['to:9', [6, 2]],
    ['in_reply_to_tweet_id:555', [2]],
    ['url:unwound', [1]],
    ['$twtr has:cashtags', [1]],
    ['lang:qme heron', [6]],
  ])('%s', async (query, numbers) => {
    expect(await app.find(query)).toEqual(found(...numbers));
  });
});

it('a repost matches the full text of its original, also when that is imported later', async () => {
  const app = await start();
  const repost = post(2, {
    author_id: '7002',
    text: 'RT @ornis: a very long…',
    referenced_tweets: [{ type: 'retweeted', id: id(1) }],
  });
  await app.imported({ data: [repost] });
  expect(await app.find('heron')).toEqual(found());
  expect(await app.find('long')).toEqual(found(2));
  await app.imported({
    data: [
      post(1, {
        text: 'a very long text of a #heron',
        entities: { hashtags: [{ start: 21, end: 27, tag: 'heron' }] },
      }),
    ],
  });
  expect(await app.find('#heron')).toEqual(found(2, 1));
  expect(await app.find('#heron is:retweet')).toEqual(found(2));
  expect(await app.find(`retweets_of:${AUTHOR}`)).toEqual(found(2));
  expect(await app.find(`from:${AUTHOR} heron`)).toEqual(found(1));
});

describe('a repost matches the place of its original', () => {
  const coordinates = { type: 'Point', coordinates: [-105.28, 40.02] };
  const geoOf = (n: number, place: string) => post(n, { geo: { place_id: place, coordinates } });
  const repostOf = (n: number, original: number, more: object = {}) =>
    post(n, { author_id: '7002', referenced_tweets: [{ type: 'retweeted', id: id(original) }], ...more });
  const places = ['Boulder', 'Kyoto'].map((name, n) => ({
    id: `0${n}`,
    full_name: name,
    country_code: ['US', 'JP'][n],
  }));

  it('also when that is imported later, instead of its own place', async () => {
    const app = await start();
    await app.imported({ data: [repostOf(2, 1, { geo: { place_id: '01' } })], includes: { places } });
    expect(await app.find('place:kyoto')).toEqual(found(2));
    await app.imported({ data: [geoOf(1, '00')] });
    expect(await app.find('place:kyoto')).toEqual(found());
    expect(await app.find('place:boulder')).toEqual(found(2, 1));
    expect(await app.find('place:boulder is:retweet')).toEqual(found(2));
    expect(await app.find('place_country:us')).toEqual(found(2, 1));
    expect(await app.find('point_radius:[-105.28 40.02 1km]')).toEqual(found(2, 1));
    expect(await app.find('bounding_box:[-105.31 39.96 -105.17 40.1]')).toEqual(found(2, 1));
    expect(await app.find('heron has:geo')).toEqual(found(2, 1));
  });

  it('and none after the place of the original is removed', async () => {
    const app = await start();
    await app.imported({
      data: [geoOf(1, '00'), repostOf(2, 1), repostOf(4, 3), post(3)],
      includes: { places },
    });
    expect(await app.find('heron has:geo')).toEqual(found(2, 1));
    await scrubPlaces(app.pipit.backend, BigInt(AUTHOR) as UserId);
    await app.pipit.jobs.worker.runDue();
    expect(await app.find('heron has:geo')).toEqual(found());
    expect(await app.find('place:boulder')).toEqual(found());
    expect(await app.find('point_radius:[-105.28 40.02 1km]')).toEqual(found());
  });

  it('loses its places in all of its versions', async () => {
    const app = await start();
    const history = { edit_history_tweet_ids: [id(1), id(2)], geo: { place_id: 'p' } };
    await app.imported({
      data: [post(1, history), post(2, history)],
      includes: { places: [{ id: 'p', full_name: 'Boulder, CO' }] },
    });
    await scrubPlaces(app.pipit.backend, BigInt(AUTHOR) as UserId);
    const { body } = await app.get(`/2/tweets?ids=${id(1)},${id(2)}&tweet.fields=geo`, app.bearer);
    expect(body.data).toHaveLength(2);
    expect(JSON.stringify(body.data)).not.toContain('place_id');
  });
});

describe('a history', () => {
  it('changes no post of another author', async () => {
    const app = await start();
    await app.imported({ data: [post(1)], includes: { users: [author()] } });
    await app.imported({
      data: [post(2, { author_id: '7002', edit_history_tweet_ids: [id(1), id(2)] })],
    });
    expect(await app.find('heron')).toEqual(found(2, 1));
    const { body } = await app.get(`/2/users/${AUTHOR}/tweets`, app.bearer);
    expect(body.data).toMatchObject([{ id: id(1), edit_history_tweet_ids: [id(1)] }]);
  });
});

describe('a post that was edited here', () => {
  it('keeps its history when an archive names another', async () => {
    const app = await start();
    const token = await app.as('alice');
    const written = await app.post('/2/tweets', token, { text: 'ibis 1' });
    const { id: firstId } = written.body.data;
    const edit_options = { previous_post_id: firstId };
    const edited = await app.post('/2/tweets', token, { text: 'ibis 2', edit_options });
    await app.imported({
      data: [post(1, { text: 'ibis 3', author_id: USERS.alice, edit_history_tweet_ids: [firstId, id(1)] })],
    });
    const listed = await app.get(`/2/users/${USERS.alice}/tweets`, token);
    const texts = (listed.body.data as { text: string }[]).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['ibis 2', 'ibis 3']));
    const { body } = await app.get(`/2/tweets/${firstId}`, token);
    expect(body.data.edit_history_tweet_ids).toEqual([firstId, edited.body.data.id]);
  });
});
