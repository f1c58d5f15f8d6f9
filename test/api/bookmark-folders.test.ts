import { describe, expect, test } from 'vitest';
import { ID, postId, startNetwork, type Name, type Network } from './support/network.js';
import { walkPages } from './support/pages.js';

/** Folders of bookmarks (docs/api/timelines.md#likes-and-bookmarks). */

const bookmarks = (name: Name) => `/2/users/${ID[name]}/bookmarks`;
const folders = (name: Name) => `${bookmarks(name)}/folders`;

const POSTS = [1, 2, 3].map((n) => ({ id: postId(n), author: 'alice', text: `post ${n}` }));

async function createFolder(network: Network, name: Name, title: string): Promise<string> {
  const { status, body } = await network.as(name).post(folders(name), { name: title });
  expect([status, body.data.name]).toEqual([201, title]);
  return body.data.id as string;
}

const put = (network: Network, name: Name, id: string, folderId: string) =>
  network.as(name).post(bookmarks(name), { tweet_id: id, folder_id: folderId });

const inFolder = async (network: Network, name: Name, id: string) =>
  ((await network.as(name).get(`${folders(name)}/${id}`)).body.data ?? []).map(
    (post: { id: string }) => post.id,
  );

describe('folders', () => {
  test('are listed newest first, page by page', async () => {
    const network = await startNetwork();
    const created: string[] = [];
    for (const title of ['Herons', 'Grebes', 'Herons'])
      created.unshift(await createFolder(network, 'bob', title));
    const { body } = await network.as('bob').get(folders('bob'));
    expect(body).toEqual({
      data: [
        { id: created[0], name: 'Herons' },
        { id: created[1], name: 'Grebes' },
        { id: created[2], name: 'Herons' },
      ],
      meta: { result_count: 3 },
    });
    const pages = await walkPages(network.as('bob'), folders('bob'), 1);
    expect(pages.flatMap(({ ids }) => ids)).toEqual(created);
    expect((await network.as('alice').get(folders('alice'))).body).toEqual({ meta: { result_count: 0 } });
  });

  test('hold posts, the last added first, until the bookmark is removed', async () => {
    const network = await startNetwork({ posts: POSTS });
    const [herons, grebes] = [
      await createFolder(network, 'bob', 'Herons'),
      await createFolder(network, 'bob', 'Grebes'),
    ];
    for (const n of [2, 1, 2]) {
      const { status, body } = await put(network, 'bob', postId(n), herons);
      expect([status, body]).toEqual([200, { data: { bookmarked: true } }]);
    }
    await put(network, 'bob', postId(2), grebes);
    await network.as('bob').post(bookmarks('bob'), { tweet_id: postId(3) });
    expect(await inFolder(network, 'bob', herons)).toEqual([postId(1), postId(2)]);
    expect(await inFolder(network, 'bob', grebes)).toEqual([postId(2)]);
    const all = await network.as('bob').get(bookmarks('bob'));
    expect(all.body.meta.result_count).toBe(3);
    await network.as('bob').delete(`${bookmarks('bob')}/${postId(2)}`);
    expect(await inFolder(network, 'bob', herons)).toEqual([postId(1)]);
    expect(await inFolder(network, 'bob', grebes)).toEqual([]);
  });

  test('show only the ids of posts that their owner may see', async () => {
    const network = await startNetwork({ posts: POSTS });
    const folder = await createFolder(network, 'bob', 'Herons');
    await put(network, 'bob', postId(1), folder);
    await network.as('alice').delete(`/2/tweets/${postId(1)}`);
    await put(network, 'bob', postId(2), folder);
    const { body } = await network.as('bob').get(`${folders('bob')}/${folder}`);
    expect(body).toEqual({ data: [{ id: postId(2) }], meta: { result_count: 1 } });
    await network.suspend('alice');
    expect(await inFolder(network, 'bob', folder)).toEqual([]);
  });

  test('of others and unknown ones return 404, and nothing is bookmarked', async () => {
    const network = await startNetwork({ posts: POSTS });
    const folder = await createFolder(network, 'alice', 'Herons');
    for (const id of [folder, '404']) {
      const refused = await put(network, 'bob', postId(1), id);
      expect([refused.status, refused.body.resource_type]).toEqual([404, 'bookmark_folder']);
      expect((await network.as('bob').get(`${folders('bob')}/${id}`)).status).toBe(404);
    }
    expect((await network.as('bob').get(bookmarks('bob'))).body).toEqual({ meta: { result_count: 0 } });
  });

  test('are renamed and deleted by their owner alone; their posts stay bookmarked', async () => {
    const network = await startNetwork({ posts: POSTS });
    const [herons, grebes] = [
      await createFolder(network, 'bob', 'Herons'),
      await createFolder(network, 'bob', 'Grebes'),
    ];
    const [one, other] = [herons, grebes].map((id) => `/_pipit/bookmark_folders/${id}`) as [string, string];
    for (const id of [herons, grebes]) await put(network, 'bob', postId(1), id);
    for (const name of ['', ' ', 'x'.repeat(26), 7])
      expect((await network.as('bob').put(one, { name })).status).toBe(400);
    for (const call of [network.as('alice').get(one), network.as('alice').put(one, { name: 'Mine' })]) {
      const { status, body } = await call;
      expect([status, body.resource_type]).toEqual([404, 'bookmark_folder']);
    }
    expect((await network.as('alice').delete(one)).body).toEqual({ data: { deleted: true } });
    const renamed = await network.as('bob').put(one, { name: 'Egrets' });
    expect([renamed.status, renamed.body]).toEqual([200, { data: { id: herons, name: 'Egrets' } }]);
    expect((await network.as('bob').get(one)).body).toEqual(renamed.body);
    for (let count = 0; count < 2; count += 1)
      expect((await network.as('bob').delete(one)).body).toEqual({ data: { deleted: true } });
    expect((await network.as('bob').get(one)).status).toBe(404);
    expect((await put(network, 'bob', postId(2), herons)).status).toBe(404);
    expect(await inFolder(network, 'bob', grebes)).toEqual([postId(1)]);
    expect((await network.as('bob').get(other)).body.data.name).toBe('Grebes');
    expect((await network.as('bob').get(bookmarks('bob'))).body.meta.result_count).toBe(1);
    const { body } = await network.as('bob').get(`/_pipit/posts/states?ids=${postId(1)}`);
    expect(body.data[0].bookmark_folder_id).toBe(grebes);
  });

  test('keep no post that is added while they are deleted', async () => {
    const network = await startNetwork({ posts: POSTS });
    const folder = await createFolder(network, 'bob', 'Herons');
    const added = [1, 2, 3].map((n) => put(network, 'bob', postId(n), folder));
    await Promise.all([...added, network.as('bob').delete(`/_pipit/bookmark_folders/${folder}`)]);
    const ids = [1, 2, 3].map(postId).join();
    const { body } = await network.as('bob').get(`/_pipit/posts/states?ids=${ids}`);
    for (const state of body.data) expect(state.bookmark_folder_id).toBeUndefined();
  });

  test('of another user cannot be read or created, and apps have none', async () => {
    const network = await startNetwork();
    expect((await network.as('bob').get(folders('alice'))).status).toBe(400);
    expect((await network.as('bob').post(folders('alice'), { name: 'Herons' })).status).toBe(400);
    expect((await network.app.get(folders('alice'))).status).toBe(403);
  });

  test.each([
    {},
    { name: '' },
    { name: '  ' },
    { name: 'x'.repeat(26) },
    { name: 7 },
    { name: 'a', color: 'red' },
  ])('are refused with the body %j', async (body) => {
    const network = await startNetwork();
    expect((await network.as('bob').post(folders('bob'), body)).status).toBe(400);
    expect((await network.as('bob').get(folders('bob'))).body).toEqual({ meta: { result_count: 0 } });
  });
});
