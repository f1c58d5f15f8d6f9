import { describe, expect, test } from 'vitest';
import { ID, startNetwork } from './support/network.js';

/** Entities of posts created through the API (docs/api/objects.md#entities, docs/api/posts.md#entities). */

describe('the entities of a post', () => {
  async function entitiesOf(text: string): Promise<unknown> {
    const { as, posted } = await startNetwork();
    const id = await posted('alice', text);
    return (await as('bob').get(`/2/tweets/${id}?tweet.fields=entities`)).body.data.entities;
  }

  test('are hashtags, cashtags, mentions and links, in text order, with code point offsets', async () => {
    expect(await entitiesOf('#one @Bob $PIP https://example.com/a #two')).toEqual({
      hashtags: [
        { start: 0, end: 4, tag: 'one' },
        { start: 37, end: 41, tag: 'two' },
      ],
      mentions: [{ start: 5, end: 9, username: 'bob', id: ID.bob }],
      cashtags: [{ start: 10, end: 14, tag: 'PIP' }],
      urls: [
        {
          start: 15,
          end: 36,
          url: 'https://example.com/a',
          expanded_url: 'https://example.com/a',
          display_url: 'example.com/a',
        },
      ],
    });
  });

  test('count emoji in code points, and & < > in their escaped form', async () => {
    // 🐦 is one code point, 👍🏽 two; "&amp; " are six.
    expect(await entitiesOf('🐦👍🏽 & #one')).toEqual({ hashtags: [{ start: 10, end: 14, tag: 'one' }] });
  });

  test('are absent when empty', async () => {
    expect(await entitiesOf('nothing here, 100% #1')).toBeUndefined();
  });

  test('include links without a scheme, and nothing inside a link', async () => {
    expect(await entitiesOf('see example.com/#birds@bob')).toEqual({
      urls: [
        {
          start: 4,
          end: 26,
          url: 'example.com/#birds@bob',
          expanded_url: 'http://example.com/#birds@bob',
          display_url: 'example.com/#birds@bob',
        },
      ],
    });
  });

  test('have no id for a mention of an unknown user', async () => {
    const entities = (await entitiesOf('@nobody_here and @bob')) as { mentions: { id?: string }[] };
    expect(entities.mentions.filter((mention) => mention.id !== undefined)).toEqual([
      { start: 17, end: 21, username: 'bob', id: ID.bob },
    ]);
  });
});
