import { expect, test } from 'vitest';
import { createList, followList, pinList } from './support/lists.js';
import { ID, startNetwork } from './support/network.js';

/** States of Lists (docs/api/pipit.md#states-of-lists). */

test('states of Lists tell what the user did, and which own Lists have a member', async () => {
  const network = await startNetwork();
  const own = await createList(network, 'bob');
  const secret = await createList(network, 'bob', { name: 'Own', private: true });
  const hers = await createList(network, 'alice');
  const hidden = await createList(network, 'alice', { name: 'Hers', private: true });
  await followList(network, 'bob', hers);
  await pinList(network, 'bob', own);
  for (const [name, list] of [
    ['bob', secret],
    ['alice', hers],
  ] as const)
    await network.as(name).post(`/2/lists/${list}/members`, { user_id: ID.carol });

  const states = `/_pipit/lists/states?ids=${[own, secret, hers, own, hidden].join()}`;
  const { body } = await network.as('bob').get(`${states}&user_id=${ID.carol}`);
  expect(body.data).toEqual([
    { id: own, following: false, pinned: true, has_member: false },
    { id: secret, following: false, pinned: false, has_member: true },
    { id: hers, following: true, pinned: false },
  ]);
  expect(body.errors).toMatchObject([{ value: hidden, title: 'Not Found Error' }]);
  const plain = await network.as('bob').get(states);
  expect(plain.body.data[1]).toEqual({ id: secret, following: false, pinned: false });
  for (const query of ['', '?ids=x', `?ids=${own}&user_id=x`])
    expect((await network.as('bob').get(`/_pipit/lists/states${query}`)).status).toBe(400);
});
