import { expect, test } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import { rawSql } from '../../src/database/sql.js';
import { findUser } from '../../src/stores/users.js';
import { standardWorld, USERS, type Username } from '../support/world.js';
import { png } from './support/media-files.js';
import { startUploads, type Uploads } from './support/uploads.js';

/** Removal of messages and media that no participant can see (docs/api/posts.md#deletion, docs/api/messages.md). */

const DAY_MS = 24 * 60 * 60 * 1000;

function start(): Promise<Uploads> {
  const { users = [], ...others } = standardWorld();
  const open = users.map((user) => ({ ...(user as object), receives_dms: 'everyone' }));
  return startUploads({ world: { ...others, users: open } });
}

/** Sends a message of alice with a photo; returns the id of the event and the URL of the file. */
async function sendPhoto(app: Uploads, path: string, more: object = {}) {
  const mediaId = await app.uploaded(await png(), 'dm_image');
  const { body } = await app.json('POST', path, { ...more, text: 'See', media_id: mediaId });
  const media = await app.json('GET', `/2/media/5_${mediaId}?media.fields=url`);
  return { id: body.data.dm_event_id as string, url: media.body.data.url as string };
}

const withBob = `/2/dm_conversations/with/${USERS.bob}/messages`;

function remove(app: Uploads, id: string, ...names: readonly Username[]) {
  return Promise.all(
    names.map(async (name) => (await app.json('DELETE', `/2/dm_events/${id}`, undefined, name)).status),
  );
}

async function leave(app: Uploads, name: Username): Promise<void> {
  const user = await findUser(app.pipit.backend.engine, BigInt(USERS[name]) as UserId);
  if (!user) throw new Error(`no ${name}`);
  await deleteAccount(app.pipit.backend, user);
}

/** Returns the number of stored events and, two days later, the status of the file. */
async function remaining(app: Uploads, url: string) {
  app.advance(2 * DAY_MS);
  const { queue } = app.pipit.jobs;
  await app.pipit.backend.engine.tx('order', async (tx) => {
    await queue.enqueue(tx, { kind: 'housekeeping', payload: { step: 'media' } });
  });
  await app.runJobs();
  const stored = await app.pipit.backend.engine.all(rawSql('SELECT id FROM dm_events'));
  return [stored.length, (await app.file(url)).status];
}

test('a message and its media are kept until both participants delete the message', async () => {
  const app = await start();
  const { id, url } = await sendPhoto(app, withBob);
  expect(await remove(app, id, 'alice')).toEqual([200]);
  expect(await remaining(app, url)).toEqual([1, 200]);
  expect(await remove(app, id, 'bob')).toEqual([200]);
  expect(await remaining(app, url)).toEqual([0, 404]);
});

test('a message is removed when all participants delete it concurrently', async () => {
  const app = await start();
  const group = { participant_ids: [USERS.bob, USERS.carol] };
  const { id, url } = await sendPhoto(app, '/2/dm_conversations', group);
  expect(await remove(app, id, 'alice', 'bob', 'carol')).toEqual([200, 200, 200]);
  // The two join events remain.
  expect(await remaining(app, url)).toEqual([2, 404]);
});

test('messages are removed with the last account that can see them', async () => {
  const app = await start();
  const own = await sendPhoto(app, `/2/dm_conversations/with/${USERS.alice}/messages`);
  const gone = await sendPhoto(app, withBob);
  const kept = await sendPhoto(app, withBob);
  await remove(app, gone.id, 'alice');
  await leave(app, 'bob');
  expect(await remaining(app, gone.url)).toEqual([2, 404]);
  expect((await app.file(kept.url)).status).toBe(200);
  await leave(app, 'alice');
  expect(await remaining(app, kept.url)).toEqual([0, 404]);
  expect((await app.file(own.url)).status).toBe(404);
});
