import { expect, test } from 'vitest';
import { TEST_URL } from '../support/app.js';
import { standardWorld, USERS } from '../support/world.js';
import { png } from './support/media-files.js';
import { mediaOf, startUploads, type Uploads } from './support/uploads.js';

/** Files of the media of messages (docs/api/messages.md#media). */

async function start(): Promise<Uploads> {
  const { users = [], ...others } = standardWorld() as { users?: object[] };
  const world = { ...others, users: users.map((user) => ({ ...user, receives_dms: 'everyone' })) };
  return startUploads({ world });
}

/** Sends a picture from alice to bob; returns the path of its file and the bytes behind its link. */
async function sendPicture(app: Uploads) {
  const id = await app.uploaded(await png());
  const { url } = (await mediaOf(app, `3_${id}`)).data as { url: string };
  const message = { text: 'Look', attachments: [{ media_id: id }] };
  const sent = await app.json('POST', `/2/dm_conversations/with/${USERS.bob}/messages`, message);
  const eventId = sent.body.data.dm_event_id as string;
  const file = new URL(url).pathname.split('/').at(-1) ?? '';
  const path = (event = eventId, media = id, name = file) =>
    `${TEST_URL}/2/dm_conversations/media/${event}/${media}/${name}`;
  return { path, url, bytes: (await app.file(url)).bytes };
}

const fetched = async (app: Uploads, path: string, username: string, more: Record<string, string> = {}) =>
  app.file(path, { authorization: `Bearer ${await app.as(username)}`, ...more });

test('the participants of a conversation get the file, whole or in part', async () => {
  const app = await start();
  const { path, bytes } = await sendPicture(app);
  for (const username of ['alice', 'bob']) {
    const { status, headers, bytes: found } = await fetched(app, path(), username);
    expect([status, headers['content-type'], found.equals(bytes)]).toEqual([200, 'image/png', true]);
  }
  const part = await fetched(app, path(), 'bob', { range: 'bytes=0-3' });
  expect([part.status, part.bytes]).toEqual([206, bytes.subarray(0, 4)]);
});

test('others, other media, unknown files and bad names are refused', async () => {
  const app = await start();
  const { path } = await sendPicture(app);
  const other = await app.uploaded(await png());
  expect((await fetched(app, path(), 'carol')).status).toBe(404);
  expect((await fetched(app, path(undefined, other), 'bob')).status).toBe(404);
  expect((await fetched(app, path('404'), 'bob')).status).toBe(404);
  expect((await fetched(app, path(undefined, undefined, `${'a'.repeat(32)}.png`), 'bob')).status).toBe(404);
  expect((await fetched(app, path(undefined, undefined, '..%2f..%2fkey'), 'bob')).status).toBe(400);
  expect((await app.file(path())).status).toBe(401);
});

test('a removed message takes the file away from the user who removed it', async () => {
  const app = await start();
  const { path } = await sendPicture(app);
  const eventId = new URL(path()).pathname.split('/')[4] ?? '';
  expect((await app.json('DELETE', `/2/dm_events/${eventId}`, undefined, 'bob')).status).toBe(200);
  expect((await fetched(app, path(), 'bob')).status).toBe(404);
  expect((await fetched(app, path(), 'alice')).status).toBe(200);
});
