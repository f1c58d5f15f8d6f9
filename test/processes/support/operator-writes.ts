import type { AppId, PostId } from '../../../src/core/ids.js';
import { firstIdAt } from '../../../src/core/snowflake.js';
import type { SpaceId } from '../../../src/core/space.js';
import { sql } from '../../../src/database/sql.js';
import { deleteAccount } from '../../../src/services/accounts/delete-account.js';
import { changePrivacy, changeProfile } from '../../../src/services/accounts/settings.js';
import { suspendAccount } from '../../../src/services/accounts/standing.js';
import {
  type acceptRequest,
  type denyRequest,
  protectAccount,
} from '../../../src/services/relations/follow-requests.js';
import { createSpaceService } from '../../../src/services/spaces/spaces.js';
import { findUser } from '../../../src/stores/users.js';
import type { TestApp } from '../../support/app.js';
import { APP } from '../../support/world.js';
import { draw, idOf, importPage, pairOf, type Owned, type Write } from './scene.js';

/** Writes of pages, commands, world files and imports, for which the API has no endpoints. */

const MAX_GUESTS = 3;

/** Imported posts whose ids contain no time have ids above this one. */
const ARCHIVE_ID = 1_000n;

/** More posts are not imported, so that a page shows all of a timeline. */
const MAX_IMPORTED = 10;

/** Sends a request to follow a protected account and answers it. */
export const answering =
  (answer: typeof acceptRequest | typeof denyRequest): Write =>
  async (app, scene) => {
    const { backend } = app.pipit;
    const [from, to] = pairOf(scene);
    await protectAccount(backend, idOf(to));
    await app.delete(`/2/users/${from.id}/following/${to.id}`, from.token);
    await app.post(`/2/users/${from.id}/following`, from.token, { target_user_id: to.id });
    const isAnswered = await answer(backend, idOf(from), idOf(to));
    return isAnswered ? { people: [from, to] } : undefined;
  };

export const privacy =
  (isProtected: boolean): Write =>
  async ({ pipit: { backend } }, scene) => {
    const [by, other] = pairOf(scene);
    const receivesDms = scene.random() < 0.5 ? 'everyone' : 'following';
    const settings = { protected: isProtected, allowsPhotoTagging: true, receivesDms } as const;
    await changePrivacy(backend, { id: idOf(by) }, settings);
    return { people: [by, other] };
  };

export const createSpace: Write = async ({ pipit: { backend } }, scene) => {
  const [by] = pairOf(scene);
  const title = `Space ${(scene.made += 1)}`;
  const { id } = await createSpaceService(backend).create({ creatorId: idOf(by), title, state: 'live' });
  scene.spaces = [...scene.spaces.slice(-3), { id, by }];
  return { people: [by] };
};

export const changeSpace: Write = async ({ pipit: { backend } }, scene) => {
  const [space, post] = [draw(scene, scene.spaces), draw(scene, scene.posts)];
  if (!space || !post) return undefined;
  const changes = { title: `Space ${(scene.made += 1)}`, posts: [BigInt(post.id) as PostId] };
  await createSpaceService(backend).change(space.id as SpaceId, changes);
  return { people: [space.by], posts: [post.id] };
};

/** Loads a world file that adds a user with a follower, a follow, posts, a like, a List and a Space. */
export const loadWorld: Write = async (app, scene) => {
  const [follower, followed] = pairOf(scene);
  const guests = scene.people.filter(({ name }) => name.startsWith('guest'));
  if (guests.length >= MAX_GUESTS) return leave(app, scene);
  const number = (scene.made += 1);
  const name = `guest${number}`;
  const [id, listId] = [String(10_000 + number), String(20_000 + number)];
  const newId = (): string => String(app.pipit.backend.ids.next());
  const [first, second] = [newId(), newId()];
  const liked = draw(scene, scene.posts);
  await app.load({
    apps: [],
    users: [{ id, username: name, name, pinned_post: first }],
    follows: [
      { from: follower.name, to: name },
      { from: name, to: followed.name },
    ],
    posts: [
      { id: first, author: name, text: `From the world to @${follower.name}` },
      { id: second, author: name, text: `A reply ${number}`, in_reply_to: first },
      ...(liked ? [{ id: newId(), author: name, text: 'A quote', quote_of: liked.id }] : []),
    ],
    likes: liked ? [{ user: name, post: liked.id }] : [],
    lists: [{ id: listId, owner: name, name, members: [followed.name], followers: [follower.name] }],
    spaces: [{ id: `w${number}`, creator: name, title: name, state: 'live', posts: [first] }],
  });
  const guest = { id, name, token: await app.as(name), oauth1: await app.oauth1(name) };
  scene.people.push(guest);
  for (const post of [first, second]) scene.posts.push({ id: post, by: guest, startedBy: guest });
  scene.lists.push({ id: listId, by: guest });
  scene.spaces = [...scene.spaces.slice(-3), { id: `w${number}`, by: guest }];
  return { people: [guest, follower, followed], posts: [first, liked?.id], lists: [listId] };
};

export const pinPost: Write = async (app, scene) => {
  const post = draw(
    scene,
    scene.posts.filter(({ by }) => by !== scene.archived),
  );
  if (!post) return undefined;
  const { id, name } = post.by;
  const user = { id, username: name, name: `Pins ${(scene.made += 1)}`, pinned_post: post.id };
  await app.load({ apps: [], users: [user] });
  return { people: [post.by], posts: [post.id] };
};

/** Deletes the account of an added user with everything that belongs to it. */
export const leave: Write = async ({ pipit: { backend } }, scene) => {
  const guest = scene.people.find(({ name }) => name.startsWith('guest'));
  const user = guest && (await findUser(backend.engine, idOf(guest)));
  if (!user) return undefined;
  const isOthers = ({ by }: Owned): boolean => by !== guest;
  const gone = scene.posts.filter(({ by }) => by === guest).map(({ id }) => id);
  scene.people = scene.people.filter((person) => person !== guest);
  scene.posts = scene.posts.filter(isOthers);
  scene.lists = scene.lists.filter(isOthers);
  scene.messages = scene.messages.filter(isOthers);
  scene.spaces = scene.spaces.filter(isOthers);
  if (scene.suspended === guest) scene.suspended = undefined;
  await deleteAccount(backend, user);
  return { people: [guest, draw(scene, scene.people)], posts: gone };
};

/** Imports the profile of the archived user and posts: a new one, and other versions of old ones. */
export const importPosts: Write = async ({ pipit }, scene) => {
  const { archived, clock } = scene;
  const number = (scene.made += 1);
  const old = scene.posts.filter(({ by }) => by === archived);
  const isNew = scene.imported < MAX_IMPORTED;
  // Some ids contain no time.
  const newId = number % 2 === 0 ? ARCHIVE_ID + BigInt(number) : firstIdAt(clock() - 1e9) + BigInt(number);
  const id = isNew ? String(newId) : (draw(scene, old)?.id ?? '');
  const edited = isNew && old.length > 2 ? draw(scene, old) : undefined;
  // Archives tell all versions.
  const versions = edited && [...(edited.versions ?? [edited.id]), id];
  const post = (postId: string, members: object = {}): object => ({
    id: postId,
    author_id: archived.id,
    created_at: new Date(clock() - 1_000_000).toISOString(),
    text: `Archived ${number}`,
    conversation_id: postId,
    public_metrics: { retweet_count: 0, reply_count: 0, like_count: number, quote_count: 0 },
    ...members,
  });
  const user = { id: archived.id, username: archived.name, name: `Archie ${number}`, pinned_tweet_id: id };
  const page = {
    data: [
      post(id, versions && { edit_history_tweet_ids: versions }),
      ...old.filter((each) => each !== edited && each.id !== id).map((each) => post(each.id)),
    ],
    includes: { users: [user] },
    __twarc: { retrieved_at: new Date(clock()).toISOString() },
  };
  await importPage(pipit, page);
  if (edited) scene.posts = scene.posts.filter((other) => other !== edited);
  if (isNew) scene.posts.push({ id, by: archived, startedBy: archived, versions });
  if (isNew) scene.imported += 1;
  return {
    people: [archived, draw(scene, scene.people)],
    posts: [id, edited?.id, ...old.map((each) => each.id)],
  };
};

export const suspend: Write = async ({ pipit: { backend } }, scene) => {
  if (scene.suspended) return undefined;
  const [by, other] = pairOf(scene);
  scene.suspended = by;
  await suspendAccount(backend, idOf(by), true);
  return { people: [by, other], posts: [scene.posts.find((post) => post.by === by)?.id] };
};

export const restore: Write = async ({ pipit: { backend } }, scene) => {
  const { suspended } = scene;
  if (!suspended) return undefined;
  scene.suspended = undefined;
  await suspendAccount(backend, idOf(suspended), false);
  return { people: [suspended], posts: [scene.posts.find(({ by }) => by === suspended)?.id] };
};

export const editProfile: Write = async ({ pipit: { backend } }, scene) => {
  const [by, other] = pairOf(scene);
  const text = `Profile ${(scene.made += 1)}`;
  const profile = { name: text, description: `${text} of @${other.name}`, location: '', url: '' };
  await changeProfile(backend, { id: idOf(by) }, profile);
  return { people: [by] };
};

export const rotateToken: Write = async (app, scene) => {
  const [by] = pairOf(scene);
  const { token } = by;
  by.token = await app.as(by.name);
  await app.pipit.backend.tokens.revoke(token);
  scene.revoked.splice(0, scene.revoked.length, { ...by, token });
  return { people: [by] };
};

export const changeApp: Write = async ({ pipit: { backend } }, { random, posts }) => {
  const permissions = random() < 0.3 ? 'read_write' : 'read_write_dm';
  await backend.apps.update(BigInt(APP.id) as AppId, { permissions });
  return { posts: [posts[0]?.id] };
};

export const coolHomes: Write = async ({ pipit: { backend } }, scene) => {
  const [by] = pairOf(scene);
  await backend.engine.tx('cool', (tx) =>
    tx.run(sql`DELETE FROM home_timelines WHERE user_id = ${idOf(by)}`),
  );
  return { people: [by] };
};

export const runs =
  (run: (pipit: TestApp['pipit']) => Promise<unknown>): Write =>
  async ({ pipit }) => {
    await run(pipit);
    return {};
  };
