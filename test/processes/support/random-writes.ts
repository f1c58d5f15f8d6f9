import { acceptRequest, denyRequest } from '../../../src/services/relations/follow-requests.js';
import { indexPending } from '../../../src/services/search/index-posts.js';
import type { TestApp } from '../../support/app.js';
import {
  answering,
  changeApp,
  changeSpace,
  coolHomes,
  createSpace,
  editProfile,
  importPosts,
  leave,
  loadWorld,
  pinPost,
  privacy,
  restore,
  rotateToken,
  runs,
  suspend,
} from './operator-writes.js';
import { draw, pairOf, type Owned, type OwnPost, type Person, type Scene, type Write } from './scene.js';

/** At this number a post is deleted instead of a new one, so that a page shows all of a timeline. */
const MAX_POSTS = 40;

/** Above this number a block or mute is undone: otherwise most people would soon see little of each other. */
const MAX_APART = 5;

/** A request of a person about another. */
const relation =
  (kind: 'following' | 'blocking' | 'muting', isOn: boolean): Write =>
  async (app, scene) => {
    const apart = kind === 'following' ? [] : scene.apart[kind];
    const isUndone = !isOn || apart.length > MAX_APART;
    const [by, other] = (isUndone ? apart.shift() : undefined) ?? pairOf(scene);
    const path = `/2/users/${by.id}/${kind}`;
    const { status } = isUndone
      ? await app.delete(`${path}/${other.id}`, by.token)
      : await app.post(path, by.token, { target_user_id: other.id });
    if (status !== 200) return undefined;
    if (!isUndone) apart.push([by, other]);
    return { people: [by, other] };
  };

/** A request of a person about a post. */
const reaction =
  (kind: 'likes' | 'bookmarks' | 'retweets', isOn: boolean): Write =>
  async (app, scene) => {
    const [by] = pairOf(scene);
    const post = draw(scene, scene.posts);
    if (!post) return undefined;
    const path = `/2/users/${by.id}/${kind}`;
    const { status } = isOn
      ? await app.post(path, by.token, { tweet_id: post.id })
      : await app.delete(`${path}/${post.id}`, by.token);
    return status === 200 ? { posts: [post.id], people: [by, post.by] } : undefined;
  };

/** A new post; `bodyOf` returns undefined if it needs a post and there is none. */
const posting =
  (bodyOf: (earlier: OwnPost | undefined, scene: Scene) => object | undefined): Write =>
  async (app, scene) => {
    if (scene.posts.length >= MAX_POSTS) return deletePost(app, scene);
    const [by, mentioned] = pairOf(scene);
    const earlier = draw(scene, scene.posts);
    const more = bodyOf(earlier, scene);
    if (!more) return undefined;
    scene.made += 1;
    const text = `Text ${scene.made} to @${mentioned.name} #t${scene.made % 5}`;
    const { status, body } = await app.post('/2/tweets', by.token, { text, ...more });
    if (status !== 201) return undefined;
    const id = body.data.id as string;
    const startedBy = 'reply' in more ? (earlier?.startedBy ?? by) : by;
    scene.posts.push({ id, by, startedBy });
    return { posts: [id, earlier?.id], people: [by, mentioned, earlier?.by] };
  };

const deletePost: Write = async (app, scene) => {
  const post = draw(
    scene,
    scene.posts.filter(({ by }) => by !== scene.archived),
  );
  if (!post) return undefined;
  const { status } = await app.delete(`/2/tweets/${post.id}`, post.by.token);
  if (status !== 200) return undefined;
  scene.posts = scene.posts.filter((other) => firstOf(other) !== firstOf(post));
  return { posts: [post.id], people: [post.by, draw(scene, scene.people)] };
};

const firstOf = ({ id, firstId = id }: OwnPost): string => firstId;

/** Edits a post; both versions stay, since requests may name either. */
const editPost: Write = async (app, scene) => {
  if (scene.posts.length >= MAX_POSTS) return deletePost(app, scene);
  const post = draw(scene, scene.posts);
  if (!post) return undefined;
  const [mentioned] = pairOf(scene);
  const text = `Edit ${(scene.made += 1)} for @${mentioned.name} #t${scene.made % 5}`;
  const edit_options = { previous_post_id: post.id };
  const { status, body } = await app.post('/2/tweets', post.by.token, { text, edit_options });
  if (status !== 201) return undefined;
  const id = body.data.id as string;
  scene.posts = scene.posts.map((other) => (other === post ? { ...post, firstId: firstOf(post) } : other));
  scene.posts.push({ ...post, id, firstId: firstOf(post) });
  return { posts: [id, post.id], people: [post.by, mentioned] };
};

const hiding =
  (hidden: boolean): Write =>
  async (app, scene) => {
    const post = draw(
      scene,
      scene.posts.filter(({ by, startedBy }) => by !== startedBy),
    );
    if (!post) return undefined;
    const { status } = await app.request({
      method: 'PUT',
      url: `/2/tweets/${post.id}/hidden`,
      headers: { authorization: `Bearer ${post.startedBy.token}` },
      payload: { hidden },
    });
    return status === 200 ? { posts: [post.id], people: [post.by, post.startedBy] } : undefined;
  };

/** A request of the owner of a List. */
const listing =
  (send: (app: TestApp, list: Owned, other: Person, scene: Scene) => Promise<{ status: number }>): Write =>
  async (app, scene) => {
    const list = draw(scene, scene.lists);
    if (!list) return undefined;
    const [, other] = pairOf(scene);
    const { status } = await send(app, list, other, scene);
    return status === 200 ? { lists: [list.id], people: [list.by, other] } : undefined;
  };

const createList: Write = async (app, scene) => {
  const [by] = pairOf(scene);
  scene.made += 1;
  const { status, body } = await app.post('/2/lists', by.token, { name: `List ${scene.made}` });
  if (status !== 201 && status !== 200) return undefined;
  scene.lists.push({ id: body.data.id, by });
  return { lists: [body.data.id], people: [by] };
};

const sendMessage: Write = async (app, scene) => {
  const [by, other] = pairOf(scene);
  const link = `http://pipit.test/${other.name}/status/${draw(scene, scene.posts)?.id}`;
  const path = `/2/dm_conversations/with/${other.id}/messages`;
  const { status, body } = await app.post(path, by.token, { text: `See ${link}` });
  if (status !== 201) return undefined;
  scene.messages.push({ id: body.data.dm_event_id, by });
  return { people: [by, other] };
};

const deleteMessage: Write = async (app, scene) => {
  const message = scene.messages.pop();
  if (!message) return undefined;
  const { status } = await app.delete(`/2/dm_events/${message.id}`, message.by.token);
  return status === 200 ? { people: [message.by] } : undefined;
};

/** Every kind of write that changes what caches hold, by name. */
export const WRITES: Readonly<Record<string, Write>> = {
  post: posting(() => ({})),
  'another post': posting(() => ({})),
  reply: posting((earlier) => earlier && { reply: { in_reply_to_tweet_id: earlier.id } }),
  quote: posting((earlier) => earlier && { quote_tweet_id: earlier.id }),
  'delete a post': deletePost,
  'edit a post': editPost,
  repost: reaction('retweets', true),
  'another repost': reaction('retweets', true),
  unrepost: reaction('retweets', false),
  like: reaction('likes', true),
  unlike: reaction('likes', false),
  bookmark: reaction('bookmarks', true),
  unbookmark: reaction('bookmarks', false),
  follow: relation('following', true),
  'another follow': relation('following', true),
  'a third follow': relation('following', true),
  unfollow: relation('following', false),
  block: relation('blocking', true),
  unblock: relation('blocking', false),
  mute: relation('muting', true),
  unmute: relation('muting', false),
  'hide a reply': hiding(true),
  'show a reply': hiding(false),
  protect: privacy(true),
  unprotect: privacy(false),
  'another unprotect': privacy(false),
  'accept a request': answering(acceptRequest),
  'deny a request': answering(denyRequest),
  suspend,
  restore,
  'edit a profile': editProfile,
  'pin a post': pinPost,
  'create a List': createList,
  'change a List': listing((app, { id, by }, _other, { random, made }) =>
    app.put(`/2/lists/${id}`, by.token, { name: `List of ${made}`, private: random() < 0.3 }),
  ),
  'delete a List': listing(async (app, list, _other, scene) => {
    if (scene.lists.length < 3) return { status: 0 };
    scene.lists = scene.lists.filter((other) => other !== list);
    return app.delete(`/2/lists/${list.id}`, list.by.token);
  }),
  'add a member': listing((app, { id, by }, other) =>
    app.post(`/2/lists/${id}/members`, by.token, { user_id: other.id }),
  ),
  'remove a member': listing((app, { id, by }, other) =>
    app.delete(`/2/lists/${id}/members/${other.id}`, by.token),
  ),
  'follow a List': listing((app, { id }, other) =>
    app.post(`/2/users/${other.id}/followed_lists`, other.token, { list_id: id }),
  ),
  'unfollow a List': listing((app, { id }, other) =>
    app.delete(`/2/users/${other.id}/followed_lists/${id}`, other.token),
  ),
  'pin a List': listing((app, { id, by }) =>
    app.post(`/2/users/${by.id}/pinned_lists`, by.token, { list_id: id }),
  ),
  'send a message': sendMessage,
  'delete a message': deleteMessage,
  'create a Space': createSpace,
  'change a Space': changeSpace,
  'load a world': loadWorld,
  'delete an account': leave,
  'import posts': importPosts,
  'rotate a token': rotateToken,
  'change an app': changeApp,
  'cool a home timeline': coolHomes,
  'fan out': runs(({ jobs }) => jobs.fanOut.runDue()),
  'index posts': runs(({ backend }) => indexPending(backend.engine)),
  'run jobs': runs(({ jobs }) => jobs.worker.runDue()),
};
