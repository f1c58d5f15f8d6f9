import type { ExactJson } from '../../core/exact-json.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { WireJson, WireObject } from '../../core/wire-json.js';
import { ObjectSet } from '../hydrate/objects.js';
import { onlyOne, type Envelope } from '../includes.js';
import { viewPosts, type ViewDeps } from '../post-page.js';
import { presentDate } from '../present/dates.js';
import { viewActors, viewUsers } from '../user-page.js';
import type { Payload, Showing, SubjectOf } from './payload.js';
import { ACTIVITY_SELECTION as selection } from './selection.js';

/** Posts of protected accounts are never shown, not even to their followers (docs/api/activity.md#visibility). */

export async function viewNewPost(
  deps: ViewDeps,
  { postId }: SubjectOf<'post'>,
  { viewerId }: Showing,
): Promise<Payload | undefined> {
  const shown = await viewPublicPost(deps, postId, viewerId);
  if (!shown?.data) return undefined;
  const repliedTo = repliedToBy(shown.data);
  const payload =
    repliedTo === undefined ? shown.data : { ...membersOf(shown.data), in_reply_to_tweet_id: repliedTo };
  return { payload, includes: shown.includes };
}

export async function viewDeletedPost(
  deps: ViewDeps,
  { postId, authorId }: SubjectOf<'deleted-post'>,
  { viewerId }: Showing,
): Promise<Payload | undefined> {
  if (!(await isActivityPublic(deps, authorId, viewerId))) return undefined;
  const { data: users } = await viewUsers(deps, { names: [authorId], viewerId, selection });
  const payload = { id: String(postId), author_id: String(authorId) };
  return { payload, includes: users && { users } };
}

export async function viewLike(
  deps: ViewDeps,
  { edgeId, userId, postId, authorId }: SubjectOf<'like'>,
  { viewerId, atMs }: Showing,
): Promise<Payload | undefined> {
  const shown = await viewPublicPost(deps, postId, viewerId);
  const { data: likers = [] } = await viewActors(deps, { ids: [userId], viewerId, selection });
  if (!shown?.data || likers.length === 0) return undefined;
  const payload = {
    id: String(edgeId),
    created_at: presentDate(atMs),
    timestamp_ms: String(atMs),
    liked_tweet_id: String(postId),
    // The original's description and its deliveries differ in the name.
    tweet_author_id: String(authorId),
    liked_tweet_author_id: String(authorId),
  };
  const { users = [], tweets = [], ...others } = shown.includes ?? {};
  const newUsers = likers.filter(({ id }) => !users.some((user) => idOf(user) === id));
  return {
    payload,
    includes: { users: [...newUsers, ...users], tweets: [shown.data, ...tweets], ...others },
  };
}

/** Returns a post that everybody and the viewer may see, without included posts that not everybody may see. */
async function viewPublicPost(
  deps: ViewDeps,
  id: PostId,
  viewerId: UserId | undefined,
): Promise<Envelope<WireJson> | undefined> {
  const viewAs = async (viewer: UserId | undefined) =>
    onlyOne(await viewPosts(deps, { ids: [id], viewerId: viewer, selection, parameter: 'id' }));
  const ofEverybody = await viewAs(undefined);
  if (!ofEverybody.data || viewerId === undefined) return ofEverybody;
  const { data, includes = {} } = await viewAs(viewerId);
  const publicIds = new Set((ofEverybody.includes?.tweets ?? []).map(idOf));
  const tweets = includes.tweets?.filter((one) => publicIds.has(idOf(one)));
  return { data, includes: { ...includes, tweets } };
}

/** Reports whether everybody and the viewer may see the activity of a user. */
async function isActivityPublic(deps: ViewDeps, id: UserId, viewerId: UserId | undefined): Promise<boolean> {
  for (const viewer of new Set([undefined, viewerId])) {
    const objects = new ObjectSet(deps.reads, viewer);
    if ((await objects.complete(() => objects.activityOf(id))) !== 'visible') return false;
  }
  return true;
}

function idOf(object: WireJson | WireObject): string {
  return (object as unknown as { readonly id: string }).id;
}

function membersOf(post: WireJson): Readonly<Record<string, ExactJson>> {
  return post.toJSON() as Readonly<Record<string, ExactJson>>;
}

function repliedToBy(post: WireJson): string | undefined {
  const { referenced_tweets: references = [] } = membersOf(post);
  const typed = references as readonly { readonly type: string; readonly id: string }[];
  return typed.find(({ type }) => type === 'replied_to')?.id;
}
