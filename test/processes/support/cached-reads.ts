import type { TestAnswer, TestApp } from '../../support/app.js';
import { TEST_URL } from '../../support/app.js';
import { signHeader } from '../../auth/support/sign.js';
import { draw, type Concerned, type Person, type Scene } from './scene.js';

/** One request, as an app, as a person, or signed by a person. */
export interface Read {
  readonly path: string;
  readonly as: Person | 'the app' | 'nobody';
  readonly isSigned?: boolean;
}

const TWEET_FIELDS =
  'author_id,conversation_id,created_at,edit_history_tweet_ids,entities,in_reply_to_user_id,public_metrics,referenced_tweets,reply_settings,text';
const USER_FIELDS =
  'connection_status,created_at,description,entities,name,pinned_tweet_id,protected,public_metrics,receives_your_dm,username';
const USERS = `user.fields=${USER_FIELDS}&tweet.fields=${TWEET_FIELDS}&expansions=pinned_tweet_id`;
const POSTS = `tweet.fields=${TWEET_FIELDS}&user.fields=${USER_FIELDS}&expansions=author_id,referenced_tweets.id,referenced_tweets.id.author_id,in_reply_to_user_id,entities.mentions.username`;
const LISTS =
  'list.fields=created_at,description,follower_count,member_count,owner_id,private&expansions=owner_id&user.fields=name,protected,public_metrics';
const SPACES =
  'space.fields=creator_id,host_ids,participant_count,state,title,updated_at&expansions=creator_id&user.fields=name,protected';

/** Asks for whole timelines: deleted posts may leave gaps in a shorter page, depending on what is cached. */
const WHOLE = `max_results=100&${POSTS}`;

const ofPost = (id: string): readonly string[] => [
  `/2/tweets/${id}?${POSTS}`,
  `/2/tweets/${id}?${POSTS}`,
  `/2/tweets/${id}/liking_users?${USERS}`,
  `/2/tweets/${id}/retweeted_by?${USERS}`,
  `/2/tweets/${id}/quote_tweets?${WHOLE}`,
];

const ofPerson = ({ id, name }: Person): readonly string[] => [
  `/2/users/${id}?${USERS}`,
  `/2/users/by/username/${name}?${USERS}`,
  `/2/users/${id}/tweets?${WHOLE}`,
  `/2/users/${id}/tweets?max_results=5`,
  `/2/users/${id}/tweets?${WHOLE}`,
  `/2/users/${id}/tweets?${WHOLE}&exclude=replies,retweets`,
  `/2/users/${id}/mentions?${WHOLE}`,
  `/2/users/${id}/followers?${USERS}`,
  `/2/users/${id}/following?${USERS}`,
  `/2/users/${id}/liked_tweets?${WHOLE}`,
  `/2/users/${id}/owned_lists?${LISTS}`,
  `/2/users/${id}/list_memberships?${LISTS}`,
  `/2/users/${id}/followed_lists?${LISTS}`,
  `/2/spaces/by/creator_ids?user_ids=${id}&${SPACES}`,
];

/** Reads that only the person may send. */
const ofOneself = ({ id }: Person): readonly string[] => [
  ...Array<string>(6).fill(`/2/users/${id}/timelines/reverse_chronological?${WHOLE}`),
  `/2/users/${id}/mentions?${WHOLE}`,
  `/2/users/${id}/bookmarks?${WHOLE}`,
  `/2/users/${id}/blocking?${USERS}`,
  `/2/users/${id}/muting?${USERS}`,
  `/2/users/${id}/pinned_lists?${LISTS}`,
  `/2/users/me?${USERS}`,
  `/2/users/reposts_of_me?${POSTS}`,
  `/2/dm_events?dm_event.fields=text,sender_id,referenced_tweets&expansions=referenced_tweets.id,sender_id&${POSTS.split('&expansions')[0]}`,
];

const ofList = (id: string): readonly string[] => [
  `/2/lists/${id}?${LISTS}`,
  `/2/lists/${id}/tweets?${WHOLE}`,
  `/2/lists/${id}/members?${USERS}`,
  `/2/lists/${id}/followers?${USERS}`,
];

const ofSpaces = (ids: readonly string[]): readonly string[] =>
  ids.length === 0 ? [] : [`/2/spaces?ids=${ids.join()}&${SPACES}`, `/2/spaces/${ids[0]}/tweets?${POSTS}`];

/** Reads that only an app may send. */
const ofApps = ({ name }: Person): readonly string[] => [
  `/2/tweets/search/all?query=from:${name}&start_time=2006-04-01T00:00:00Z&${WHOLE}`,
  `/2/tweets/search/recent?query=@${name}&${WHOLE}`,
  `/2/tweets/counts/recent?query=from:${name}`,
];

const ofNobody = (person: Person, post: string | undefined): readonly string[] => [
  `/${person.name}`,
  `/${person.name}/status/${post}`,
];

/** Draws a read about something that the write changed, or about anything. */
export function drawRead(scene: Scene, { people = [], posts = [], lists = [] }: Concerned): Read {
  const one = <T>(list: readonly T[]): T | undefined => draw(scene, list);
  const known = people.filter((person) => person !== undefined);
  const person = one(known) ?? one(scene.people) ?? scene.archived;
  const post = one(posts.filter((id) => id !== undefined)) ?? one(scene.posts)?.id ?? '1';
  const list = one(lists) ?? one(scene.lists)?.id;
  const viewer = one([...known, ...scene.people]) ?? scene.archived;
  const read = (as: Read['as'], paths: readonly string[]): Read => ({
    as,
    path: one(paths) ?? `/2/tweets/${post}?${POSTS}`,
    isSigned: typeof as === 'object' && scene.random() < 0.25,
  });
  const several = [post, ...scene.posts.slice(-20).map(({ id }) => id)];
  const draws = [
    () => read(viewer, ofOneself(viewer)),
    () => read(viewer, ofPerson(person)),
    () => read(viewer, ofPost(post)),
    () =>
      read(one([viewer, 'the app']) ?? viewer, [`/2/tweets?ids=${[...new Set(several)].join()}&${POSTS}`]),
    () => read('the app', [...ofPerson(person), ...ofPost(post), ...ofApps(person)]),
    () => read(viewer, list === undefined ? [] : ofList(list)),
    () => read(viewer, ofSpaces(scene.spaces.map(({ id }) => id))),
    () => read('nobody', ofNobody(person, post)),
    () => ({ as: viewer, isSigned: true, path: '/1.1/account/verify_credentials.json' }),
    () => read(one(scene.revoked) ?? viewer, ['/2/users/me']),
  ];
  // The first kinds use caches most.
  const at = Math.floor(draws.length * scene.random() ** 1.5);
  return (draws[at] ?? draws[0])?.() as Read;
}

/** Draws a read that runs beside a write. Nothing compares its response, so that it may be a short page. */
export function drawBeside(scene: Scene): Read {
  const as = draw(scene, scene.people) ?? scene.archived;
  if (scene.random() < 0.7) return drawRead(scene, {});
  return { as, path: `/2/users/${as.id}/timelines/reverse_chronological?max_results=5` };
}

let nonces = 0;

/** Sends the request, and returns what a client sees. */
export async function ask(app: TestApp, { path, as, isSigned }: Read, nowMs: number): Promise<unknown> {
  const { status, body } = await send(app, path, as, isSigned === true, nowMs);
  return { status, body: body as unknown };
}

function send(
  app: TestApp,
  path: string,
  as: Read['as'],
  isSigned: boolean,
  nowMs: number,
): Promise<TestAnswer> {
  if (as === 'nobody') return app.get(path);
  if (as === 'the app') return app.get(path, app.bearer);
  if (!isSigned) return app.get(path, as.token);
  const authorization = signHeader({
    method: 'GET',
    url: TEST_URL + path,
    consumerKey: as.oauth1.appKey,
    consumerSecret: as.oauth1.appSecret,
    token: as.oauth1.accessToken,
    tokenSecret: as.oauth1.accessSecret,
    timestampSeconds: Math.ceil(nowMs / 1000),
    nonce: `nonce${(nonces += 1)}`,
  });
  return app.request({ method: 'GET', url: path, headers: { authorization } });
}
