import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startTestApp } from '../support/app.js';
import { readStream, STREAM } from './support/read-stream.js';

/** Slow readers of streams over sockets (docs/api/streams.md#messages). */

/** Every post matches so many rules with long tags that its message has 150 kB: more than sockets hold comes soon. */
const RULES = 150;
const TAG_LENGTH = 1_000;
const POSTS = 120;

test('a reader that does not read is cut with a message, and others miss nothing', async () => {
  const app = await startTestApp({ flags: { streamConnections: '3' } });
  onTestFinished(app.close);
  const url = await app.listen();
  const tag = 't'.repeat(TAG_LENGTH);
  const add = Array.from({ length: RULES }, (_, n) => ({ value: `heron OR pond${n}`, tag }));
  expect((await app.post(`${STREAM}/rules`, app.bearer, { add })).status).toBe(201);

  const sent = request(url + STREAM, { headers: { authorization: `Bearer ${app.bearer}` } });
  sent.end();
  const [unread] = (await once(sent, 'response')) as [IncomingMessage];
  onTestFinished(() => void unread.destroy());
  const readers = [await readStream(url, app.bearer), await readStream(url, app.bearer)];
  for (const { close } of readers) onTestFinished(close);

  const alice = await app.as('alice');
  const posted: string[] = [];
  const received: string[][] = readers.map(() => []);
  for (let n = 0; n < POSTS; n += 1) {
    const { body } = await app.post('/2/tweets', alice, { text: `heron ${n}` });
    posted.push(body.data.id as string);
    for (const [index, { next }] of readers.entries())
      received[index]?.push((await next()).data.id as string);
  }
  expect(received).toEqual([posted, posted]);

  let text = '';
  for await (const chunk of unread) text += String(chunk);
  const messages = text.split('\r\n').filter((line) => line !== '');
  expect(messages.length).toBeLessThan(POSTS);
  expect(JSON.parse(messages.at(-1) ?? '')).toMatchObject({ errors: [{ disconnect_type: 'SlowReader' }] });
  // Its place is free.
  const again = await readStream(url, app.bearer);
  onTestFinished(again.close);
  expect(again.response.statusCode).toBe(200);
});
