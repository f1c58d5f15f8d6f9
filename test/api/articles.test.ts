import { describe, expect, test } from 'vitest';
import { INVALID_REQUEST, refusal } from './support/errors.js';
import { ID, MINUTE_MS, startNetwork, type Network } from './support/network.js';

/** Drafts of articles, and the posts that publish them (docs/api/posts.md#articles). */

const PHOTOS = ['301', '302', '303'].map((id) => ({
  media_key: `3_${id}`,
  type: 'photo',
  url: `https://photos.example/${id}.jpg`,
  owner: 'alice',
}));

const block = (text: string, more: object = {}) => ({ type: 'unstyled', text, ...more });
const content = (...blocks: object[]) => ({ blocks, entities: [] as object[] });
const entity = (type: string, data: object) => ({ key: 'e', value: { type, mutability: 'immutable', data } });
const image = (...ids: string[]) =>
  entity('image', { media_items: ids.map((media_id) => ({ media_category: 'tweet_image', media_id })) });
const BODY = { title: 'Birds of the #pond', content_state: content(block('A heron stands still.')) };

async function drafted({ as }: Network, body: object = BODY): Promise<string> {
  const { status, body: answer } = await as('alice').post('/2/articles/draft', body);
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.data.id as string;
}

async function published(network: Network, body?: object): Promise<string> {
  const id = await drafted(network, body);
  const { status, body: answer } = await network.as('alice').post(`/2/articles/${id}/publish`, '');
  expect(status, JSON.stringify(answer)).toBe(200);
  return answer.data.post_id as string;
}

describe('an article', () => {
  test('becomes a post with its title as text', async () => {
    const network = await startNetwork();
    const { status, body } = await network.as('alice').post('/2/articles/draft', BODY);
    expect([status, body]).toEqual([201, { data: { id: expect.any(String), title: BODY.title } }]);
    const { data } = (await network.as('alice').post(`/2/articles/${body.data.id}/publish`, '')).body;
    const post = await network.app.get(
      `/2/tweets/${data.post_id}?tweet.fields=article,article_title,author_id,lang,entities`,
    );
    expect(post.body.data).toEqual({
      id: data.post_id,
      text: BODY.title,
      edit_history_tweet_ids: [data.post_id],
      author_id: ID.alice,
      lang: 'en',
      entities: { hashtags: [{ start: 13, end: 18, tag: 'pond' }] },
      article: { title: BODY.title, plain_text: 'A heron stands still.' },
      article_title: { title: BODY.title },
    });
  });

  test('is found by its title, cannot be edited, and is published once', async () => {
    const network = await startNetwork();
    const id = await drafted(network);
    const publish = () => network.as('alice').post(`/2/articles/${id}/publish`, '');
    const { data } = (await publish()).body;
    expect((await publish()).status).toBe(403);
    await network.advance(MINUTE_MS);
    const found = await network.app.get('/2/tweets/search/recent?query=birds%20pond');
    expect(found.body.data).toMatchObject([{ id: data.post_id }]);
    const edit = { text: 'Other', edit_options: { previous_post_id: data.post_id } };
    expect((await network.as('alice').post('/2/tweets', edit)).status).toBe(403);
  });

  test('may have the title of another', async () => {
    const network = await startNetwork();
    expect(await published(network)).not.toBe(await published(network));
  });

  test('shows its media, which belong to its post', async () => {
    const network = await startNetwork({ media: PHOTOS });
    const media = { media_category: 'tweet_image', media_id: '301' };
    const blocks = [block(' ', { type: 'atomic', entity_ranges: [{ offset: 0, length: 1, key: 0 }] })];
    const content_state = { blocks, entities: [image('302', '303')] };
    const body = { title: 'Photos', content_state, cover_media: media };
    const postId = await published(network, body);
    const path = `/2/tweets/${postId}?expansions=article.cover_media,article.media_entities&tweet.fields=article`;
    const { data, includes } = (await network.app.get(path)).body;
    expect(data.article).toEqual({
      title: 'Photos',
      plain_text: '',
      cover_media: '3_301',
      media_entities: ['3_302', '3_303'],
    });
    expect(includes.media).toMatchObject([
      { media_key: '3_301' },
      { media_key: '3_302' },
      { media_key: '3_303' },
    ]);
    expect((await network.app.get('/2/media?media_keys=3_302')).body.data).toHaveLength(1);
    const again = await network.as('alice').post('/2/tweets', { text: 'x', media: { media_ids: ['302'] } });
    expect(again.status).toBe(400);
    expect((await network.as('alice').delete(`/2/tweets/${postId}`)).status).toBe(200);
    // Declared media become free again.
    expect((await network.as('alice').post('/2/articles/draft', body)).status).toBe(201);
  });

  test('of another is a 404, like a missing one', async () => {
    const network = await startNetwork();
    const id = await drafted(network);
    for (const missing of [id, '123']) {
      const { status, body } = await network.as('bob').post(`/2/articles/${missing}/publish`, '');
      expect([status, body.title]).toEqual([404, 'Not Found Error']);
    }
    expect((await network.app.get(`/2/tweets/${id}`)).body.data).toBeUndefined();
  });

  test('needs media of the author', async () => {
    const network = await startNetwork({ media: [{ ...PHOTOS[0], owner: 'bob' }] });
    for (const id of ['301', '999', '9223372036854775807']) {
      const body = { ...BODY, cover_media: { media_category: 'tweet_image', media_id: id } };
      expect((await network.as('alice').post('/2/articles/draft', body)).status).toBe(400);
    }
  });

  test('leaves with its author, drafts included', async () => {
    const network = await startNetwork({ media: PHOTOS });
    await drafted(network, { ...BODY, content_state: { ...BODY.content_state, entities: [image('301')] } });
    const postId = await published(network);
    await network.deleteAccount('alice');
    expect((await network.app.get(`/2/tweets/${postId}`)).body.errors).toHaveLength(1);
  });

  test('has at most 100 unpublished drafts beside it', async () => {
    const network = await startNetwork();
    for (let drafts = 0; drafts < 100; drafts += 1) await drafted(network);
    const answer = await network.as('alice').post('/2/articles/draft', BODY);
    expect([answer.status, answer.body]).toEqual([
      403,
      refusal('You may have at most 100 drafts of Articles.'),
    ]);
  });
});

describe('a draft is refused', () => {
  const long = 'x'.repeat(30_000);
  const range = (offset: number, length: number) => [{ offset, length, style: 'bold' }];
  test.each<[string, object]>([
    ['without a title', { content_state: BODY.content_state }],
    ['with a blank title', { ...BODY, title: ' \n ' }],
    ['with a long title', { ...BODY, title: 't'.repeat(101) }],
    ['without content', { title: 'T' }],
    ['without blocks', { title: 'T', content_state: content() }],
    ['with a text as content', { title: 'T', content_state: 'text' }],
    ['with null as a block', { title: 'T', content_state: { blocks: [null], entities: [] } }],
    ['with an unknown key', { title: 'T', content_state: { ...BODY.content_state, html: '<b>' } }],
    ['with an unknown block', { title: 'T', content_state: content({ type: 'script', text: '' }) }],
    ['with too long texts', { title: 'T', content_state: content(block(long), block(long)) }],
    [
      'with a style beyond its text',
      { title: 'T', content_state: content(block('ab', { inline_style_ranges: range(1, 2) })) },
    ],
    [
      'with a huge range',
      { title: 'T', content_state: content(block('ab', { inline_style_ranges: range(1e15, 1e15) })) },
    ],
    [
      'with a negative range',
      { title: 'T', content_state: content(block('ab', { inline_style_ranges: range(-1, 1) })) },
    ],
    [
      'with a missing entity',
      {
        title: 'T',
        content_state: content(block('ab', { entity_ranges: [{ offset: 0, length: 1, key: 0 }] })),
      },
    ],
    [
      'with a span backwards',
      {
        title: 'T',
        content_state: content(block('abc', { data: { urls: [{ from_index: 2, to_index: 1, text: '' }] } })),
      },
    ],
    [
      'with a script as a link',
      {
        title: 'T',
        content_state: { ...BODY.content_state, entities: [entity('link', { url: 'javascript:alert(1)' })] },
      },
    ],
    [
      'with an id of more than 64 bits',
      { title: 'T', content_state: { ...BODY.content_state, entities: [image('9999999999999999999')] } },
    ],
    [
      'with too many media',
      {
        title: 'T',
        content_state: {
          ...BODY.content_state,
          entities: [
            image(...Array.from({ length: 20 }, (_, n) => String(n + 1))),
            image(...Array.from({ length: 20 }, (_, n) => String(n + 100))),
          ],
        },
      },
    ],
    [
      'with Markdown that many blocks repeat',
      {
        title: 'T',
        content_state: {
          blocks: Array.from({ length: 10 }, () =>
            block(' ', { type: 'atomic', entity_ranges: [{ offset: 0, length: 1, key: 0 }] }),
          ),
          entities: [entity('markdown', { markdown: 'm'.repeat(10_000) })],
        },
      },
    ],
    [
      'with Markdown that many ranges repeat, which would be gigabytes of text',
      {
        title: 'T',
        content_state: {
          blocks: Array.from({ length: 290 }, () =>
            block(' ', {
              type: 'atomic',
              entity_ranges: Array.from({ length: 100 }, () => ({ offset: 0, length: 1, key: 0 })),
            }),
          ),
          entities: [entity('markdown', { markdown: '🐦'.repeat(10_000) })],
        },
      },
    ],
    [
      'with a character in a block that posts may not have',
      { title: 'T', content_state: content(block('a\uFFFFb')) },
    ],
    [
      'with such a character in Markdown',
      {
        title: 'T',
        content_state: { ...BODY.content_state, entities: [entity('markdown', { markdown: 'a\uFFFEb' })] },
      },
    ],
  ])('%s', async (_name, body) => {
    const { as } = await startNetwork();
    const answer = await as('alice').post('/2/articles/draft', body);
    expect([answer.status, answer.body.title]).toEqual([400, INVALID_REQUEST.title]);
    expect(JSON.stringify(answer.body).length).toBeLessThan(40_000);
  });
});
