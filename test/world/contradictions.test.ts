import { expect, test } from 'vitest';
import { startTestApp } from '../support/app.js';
import { createRefuser } from './refusals.js';

const { faultsOf } = createRefuser();

const PEOPLE = ['erin', 'frank', 'grace'].map((username, index) => ({
  id: String(index + 1),
  username,
  name: username,
}));

test('entries that contradict a block in the same file are faults, in either direction', async () => {
  const faults = await faultsOf({
    users: PEOPLE,
    blocks: [
      { from: 'erin', to: 'frank' },
      { from: 'Grace', to: 'erin' },
    ],
    follows: [
      { from: 'erin', to: 'frank' },
      { from: 'Frank', to: 'ERIN' },
      { from: 'frank', to: 'grace' },
    ],
    lists: [{ id: '900', owner: 'erin', name: 'Ponds', members: ['alice', 'frank'], followers: ['grace'] }],
  });
  expect(faults).toEqual([
    '$.follows[0]: contradicts $.blocks[0]: @erin and @frank do not follow each other over a block',
    '$.follows[1]: contradicts $.blocks[0]: @Frank and @ERIN do not follow each other over a block',
    '$.lists[0].members[1]: contradicts $.blocks[0]: @frank and the owner, @erin, are apart by a block',
    '$.lists[0].followers[0]: contradicts $.blocks[1]: @grace and the owner, @erin, are apart by a block',
  ]);
});

test('entries that refer to a deleted post are faults', async () => {
  await using app = await startTestApp();
  const world = { posts: [{ id: '1600000000000000000', author: 'alice', text: 'Gone soon' }] };
  await app.load(world);
  await app.delete('/2/tweets/1600000000000000000', await app.as('alice'));
  const post = '1600000000000000000';
  await expect(
    app.load({ likes: [{ user: 'bob', post }], bookmarks: [{ user: 'bob', post }] }),
  ).rejects.toMatchObject({
    faults: [
      { path: '$.likes[0].post', reason: expect.stringMatching(/^no post/) },
      { path: '$.bookmarks[0].post', reason: expect.stringMatching(/^no post/) },
    ],
  });
});
