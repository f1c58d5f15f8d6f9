import { pipitMatchers, startPipit } from 'pipit/testing';
import { afterAll, beforeEach, expect, test } from 'vitest';

expect.extend(pipitMatchers);

const pipit = await startPipit();
const { alice, bob } = pipit.users;
afterAll(() => pipit.stop());
beforeEach(() => pipit.reset());

// The program under test. Its requests to api.x.com arrive at Pipit.
const BOT = `
  const headers = { authorization: 'Bearer ' + process.env.TOKEN, 'content-type': 'application/json' };
  fetch('https://api.x.com/2/tweets', { method: 'POST', headers, body: '{"text":"Good morning"}' });
`;

test('the bot posts once', async () => {
  await pipit.run(['node', '-e', BOT], { env: { TOKEN: await alice.token() } });
  await expect(pipit).toHaveReceived({ operation: 'createTweet', user: 'alice' }, 1);
  await expect(alice).toHavePosted('Good morning');
});

test('likes are counted', async () => {
  const post = await alice.post('Hello');
  await bob.like(post);
  const { data } = await bob.request('GET', `/2/tweets/${post.id}`, {
    query: { 'tweet.fields': 'public_metrics' },
  });
  expect(data.public_metrics.like_count).toBe(1);
});
