import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { assertPosted, assertReceived, startPipit } from 'pipit/testing';

const pipit = await startPipit();
const { alice, bob } = pipit.users;
after(() => pipit.stop());
beforeEach(() => pipit.reset());

test('a reply starts with the handle', async () => {
  await alice.reply(await bob.post('Who is up?'), 'Me');
  await assertPosted(alice, '@bob Me');
  await assertReceived(pipit, { operation: 'createTweet' }, 2);
});

test('each test starts with the same world', async () => {
  assert.deepEqual(await bob.posts(), []);
});
