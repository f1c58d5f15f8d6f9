import { expect, it } from 'vitest';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import { protectAccount, unprotectAccount } from '../../src/services/relations/follow-requests.js';
import { suspendAccount } from '../../src/services/accounts/standing.js';
import { findUserByUsername } from '../../src/stores/users.js';
import { standardWorld, USERS } from '../support/world.js';
import { png } from './support/media-files.js';
import { mediaOf, postWith, startUploads, type Uploads } from './support/uploads.js';

/** Visibility and cache headers of media files. */

const PUBLIC = [200, 'public, max-age=300, must-revalidate'];
const PRIVATE = [200, 'private, no-cache'];
const NOT_FOUND = 404;

async function start() {
  const { users = [], ...others } = standardWorld() as { users?: object[] };
  const app = await startUploads({
    world: { ...others, users: users.map((user) => ({ ...user, receives_dms: 'everyone' })) },
  });
  const sent = async (url: string) => {
    const { status, headers } = await app.file(url);
    return status === 404 ? NOT_FOUND : [status, headers['cache-control']];
  };
  return { app, sent };
}

async function userOf({ pipit }: Uploads, username: string) {
  const user = await findUserByUsername(pipit.backend.engine, username);
  if (!user) throw new Error(`no user ${username}`);
  return user;
}

/** Uploads a picture and posts it as the user; returns the link and the post id. */
async function posted(app: Uploads, username: string): Promise<{ url: string; postId: string }> {
  const id = await app.uploaded(await png(), undefined, username);
  const { url } = (await mediaOf(app, `3_${id}`, username)).data;
  const postId = (await postWith(app, [id], username)).body.data.id as string;
  return { url, postId };
}

it('a picture is public while its post and its author are', async () => {
  const { app, sent } = await start();
  const { backend } = app.pipit;
  const id = await app.uploaded(await png());
  expect(await sent((await mediaOf(app, `3_${id}`)).data.url)).toEqual(PRIVATE);
  const { url, postId } = await posted(app, 'alice');
  expect(await sent(url)).toEqual(PUBLIC);
  const alice = await userOf(app, 'alice');
  await protectAccount(backend, alice.id);
  expect(await sent(url)).toEqual(PRIVATE);
  await unprotectAccount(backend, alice.id);
  expect(await sent(url)).toEqual(PUBLIC);
  await suspendAccount(backend, alice.id, true);
  expect(await sent(url)).toBe(NOT_FOUND);
  await suspendAccount(backend, alice.id, false);
  const { etag } = (await app.file(url)).headers;
  expect((await app.file(url, { 'if-none-match': String(etag) })).status).toBe(304);
  expect((await app.json('DELETE', `/2/tweets/${postId}`)).status).toBe(200);
  expect(await sent(url)).toBe(NOT_FOUND);
  const headersOfCaches: Record<string, string>[] = [
    { 'if-none-match': String(etag) },
    { range: 'bytes=0-1' },
  ];
  for (const headers of headersOfCaches) {
    expect((await app.file(url, headers)).status).toBe(404);
  }
});

it('a picture of a deleted post cannot be posted again', async () => {
  const { app } = await start();
  const id = await app.uploaded(await png());
  const postId = (await postWith(app, [id])).body.data.id as string;
  await app.json('DELETE', `/2/tweets/${postId}`);
  expect((await postWith(app, [id], 'alice', 'Again')).status).toBe(400);
});

it('pictures of a deleted account return 404, posted or not', async () => {
  const { app, sent } = await start();
  const { url } = await posted(app, 'alice');
  const unused = (await mediaOf(app, `3_${await app.uploaded(await png())}`)).data.url as string;
  await deleteAccount(app.pipit.backend, await userOf(app, 'alice'));
  expect([await sent(url), await sent(unused)]).toEqual([NOT_FOUND, NOT_FOUND]);
});

it('a picture of a protected account is not cached publicly', async () => {
  const { app, sent } = await start();
  expect(await sent((await posted(app, 'dave')).url)).toEqual(PRIVATE);
});

it('a picture in a message is private, and removed when no participant can see the message', async () => {
  const { app, sent } = await start();
  const id = await app.uploaded(await png(), 'dm_image');
  const { url } = (await mediaOf(app, `5_${id}`)).data;
  const path = `/2/dm_conversations/with/${USERS.bob}/messages`;
  const message = await app.json('POST', path, { text: 'Look', attachments: [{ media_id: id }] });
  expect(await sent(url)).toEqual(PRIVATE);
  const event = `/2/dm_events/${message.body.data.dm_event_id as string}`;
  await app.json('DELETE', event);
  expect(await sent(url)).toEqual(PRIVATE);
  await app.json('DELETE', event, undefined, 'bob');
  expect(await sent(url)).toBe(NOT_FOUND);
});
