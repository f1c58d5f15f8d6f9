import { expect, test } from 'vitest';
import { APP } from '../support/world.js';
import { startReceiver } from '../webhooks/support/receiver.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

/** Sends a script of requests one after the other and returns all answers. */
async function play({ send, control, tokenOf }: TestSandbox): Promise<unknown[]> {
  const answers: unknown[] = [];
  const [alice, bob] = [await tokenOf('alice'), await tokenOf('bob')];
  const keep = async (sent: ReturnType<TestSandbox['send']>) => {
    const { status, body } = await sent;
    answers.push([status, body]);
    return body;
  };
  const fields =
    'tweet.fields=created_at,public_metrics,conversation_id&expansions=author_id,attachments.poll_ids';
  const first = await keep(send('POST', '/2/tweets', alice, { text: 'The first of the day' }));
  const poll = { options: ['heron', 'kingfisher'], duration_minutes: 30 };
  const asked = await keep(send('POST', '/2/tweets', bob, { text: 'Which one?', poll }));
  await keep(send('POST', '/2/users/1002/likes', bob, { tweet_id: first.data.id }));
  await keep(send('POST', '/2/users/1001/retweets', alice, { tweet_id: asked.data.id }));
  await keep(send('POST', '/2/dm_conversations/with/1002/messages', alice, { text: 'Look at the pond' }));
  await keep(send('POST', '/2/lists', alice, { name: 'Birds' }));
  await keep(send('POST', '/2/users/1003/following', await tokenOf('carol'), { target_user_id: '1002' }));
  await keep(control('POST', '/clock/advance', { duration: '31m' }));
  for (let n = 0; n < 12; n += 1) {
    const reply = { in_reply_to_tweet_id: first.data.id };
    await keep(send('POST', '/2/tweets', bob, { text: `Reply number ${n}`, reply }));
  }
  await keep(send('DELETE', `/2/tweets/${asked.data.id}`, bob));
  await keep(send('GET', `/2/tweets/${first.data.id}?${fields}`, alice));
  const page = await keep(send('GET', `/2/users/1002/tweets?max_results=5&${fields}`, alice));
  await keep(
    send('GET', `/2/users/1002/tweets?max_results=5&pagination_token=${page.meta.next_token}`, alice),
  );
  await keep(send('GET', `/2/users/1001/timelines/reverse_chronological?${fields}`, alice));
  await keep(control('POST', '/clock/advance', { duration: '26h' }));
  await keep(send('GET', '/2/dm_events?dm_event.fields=created_at,sender_id', await tokenOf('bob')));
  await keep(send('GET', `/2/tweets/search/recent?query=number&${fields}`, 'testbearer'));
  await keep(send('POST', '/2/compliance/jobs', 'testbearer', { type: 'tweets', name: 'all' }));
  await keep(control('GET', '/clock'));
  return answers;
}

const seeded = (sandboxSeed: string) => ({ flags: { sandboxSeed } });

/** Parts of answers that are secrets: their signatures depend on no seed. */
const withoutLinks = (answers: unknown[]): unknown =>
  JSON.parse(JSON.stringify(answers).replaceAll(/"(?:up|down)load_url":"[^"]*"/g, '"url":""'));

test('the same requests from a reset with a seed get the same answers, each time and in each process', async () => {
  await using pipit = await startTestSandbox(seeded('42'));
  const first = await play(pipit);
  expect(first.map((answer) => (answer as [number])[0]).every((status) => status < 300)).toBe(true);
  await pipit.control('POST', '/reset');
  expect(withoutLinks(await play(pipit))).toEqual(withoutLinks(first));
  await using other = await startTestSandbox(seeded('42'));
  expect(withoutLinks(await play(other))).toEqual(withoutLinks(first));
});

test('the receiver of a webhook may send a request before it answers', async () => {
  await using receiver = await startReceiver(APP.api_secret);
  const webhooksTo = [`127.0.0.1:${receiver.port}`];
  await using pipit = await startTestSandbox({ flags: { sandboxSeed: '1', webhooksTo } });
  const hook = await pipit.send('POST', '/2/webhooks', 'testbearer', { url: receiver.url() });
  await pipit.send('POST', '/2/tweets/search/stream/rules', 'testbearer', { add: [{ value: 'heron' }] });
  await pipit.send('POST', `/2/tweets/search/webhooks/${hook.body.data.id}`, 'testbearer');
  const token = await pipit.tokenOf('bob');
  const heard = new Promise<number>((resolve) => {
    receiver.answers.post = async () => {
      const { status } = await pipit.send('POST', '/2/tweets', token, { text: 'I heard it' });
      resolve(status);
      return 200;
    };
  });
  await pipit.send('POST', '/2/tweets', await pipit.tokenOf('alice'), { text: 'A heron' });
  expect(await heard).toBe(201);
});
