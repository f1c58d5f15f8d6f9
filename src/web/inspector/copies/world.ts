import { unescapeText } from '../../../core/post-text/escape.js';
import type { JournalEntry } from '../../../journal/entry.js';

interface WorldUser {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

interface WorldPost {
  readonly id: string;
  readonly author: string;
  readonly text: string;
}

/** The bearer tokens in copied worlds. */
export const COPIED_TOKENS = { user: 'copied-user-token', app: 'copied-bearer-token' } as const;

const MAX_OBJECTS = 100;
const MAX_DEPTH = 8;
const ID = /^[1-9][0-9]{0,18}$/;
const USERNAME = /^[A-Za-z0-9_]{1,15}$/;

/** The places of ids in paths, queries and bodies. */
const POST_PLACES = [
  /\/tweets\/([0-9]+)/g,
  /(?:^|[&?"])(?:tweet_id|in_reply_to_tweet_id|quote_tweet_id)"?[=:]"?([0-9]+)/g,
];
const USER_PLACES = [/\/users\/([0-9]+)/g, /"(?:target_user_id|user_id)":"([0-9]+)"/g];
/** The ids in partial errors. */
const MISSING_PLACES = [/"(?:resource_id|value)":"([0-9]+)"/g];
const LIST_OF_IDS = /(?:^|&)ids=([0-9,%C]+)/;

/**
 * Returns the smallest world file with what an entry refers to: the app, its user, and the users and posts that the
 * request or the answer names. Objects of which only the id is known get invented names and texts.
 */
export function worldCopy(entry: JournalEntry): string {
  const texts = [entry.request.path, `?${entry.request.query}`, entry.request.body.text ?? ''];
  // What a write answers did not exist before it.
  const known = entry.request.method === 'GET' ? objectsOf(entry.answer.body.text) : [];
  const missing = new Set(found([entry.answer.body.text ?? ''], MISSING_PLACES));
  const userIds = new Set([
    ...(entry.userId === undefined ? [] : [entry.userId]),
    ...found(texts, USER_PLACES),
  ]);
  const postIds = new Set([...found(texts, POST_PLACES), ...idsOfQuery(entry)]);
  const users = new Map<string, WorldUser>();
  for (const object of known) addUser(users, object);
  for (const id of userIds) if (!users.has(id) && !missing.has(id)) users.set(id, inventedUser(id));
  const posts = new Map<string, WorldPost>();
  for (const object of known) addPost(posts, users, object);
  const author = ensureUser(users).username;
  for (const id of postIds)
    if (!posts.has(id) && !missing.has(id) && isExpected(entry)) posts.set(id, inventedPost(id, author));
  const owner = ensureUser(users).username;
  const world = {
    users: [...users.values()].slice(0, MAX_OBJECTS),
    ...(posts.size > 0 && { posts: [...posts.values()].slice(0, MAX_OBJECTS) }),
    apps: [appOf(entry, owner)],
    ...tokensOf(entry, users),
  };
  return JSON.stringify(world, undefined, 2);
}

/** Reports whether the objects that a request names existed. */
function isExpected({ answer }: JournalEntry): boolean {
  return answer.status < 400;
}

function found(texts: readonly string[], places: readonly RegExp[]): string[] {
  const ids = texts.flatMap((text) =>
    places.flatMap((place) => [...text.matchAll(place)].map(([, id = '']) => id)),
  );
  return ids.filter((id) => ID.test(id));
}

function idsOfQuery({ request }: JournalEntry): string[] {
  if (!request.path.endsWith('/tweets')) return [];
  const list = LIST_OF_IDS.exec(request.query)?.[1] ?? '';
  return list.split(/,|%2C/).filter((id) => ID.test(id));
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Returns all objects in a JSON text; none if it is not JSON. */
function objectsOf(text: string | undefined): JsonObject[] {
  try {
    return collect(JSON.parse(text ?? ''), 0).slice(0, MAX_OBJECTS);
  } catch {
    return [];
  }
}

function collect(value: unknown, depth: number): JsonObject[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  const inner = Object.values(value).flatMap((member) => collect(member, depth + 1));
  return Array.isArray(value) ? inner : [value as JsonObject, ...inner];
}

function addUser(users: Map<string, WorldUser>, { id, username, name }: JsonObject): void {
  if (typeof id !== 'string' || typeof username !== 'string' || !ID.test(id) || !USERNAME.test(username))
    return;
  users.set(id, { id, username, name: typeof name === 'string' ? name : username });
}

function addPost(
  posts: Map<string, WorldPost>,
  users: Map<string, WorldUser>,
  { id, text, author_id: authorId }: JsonObject,
): void {
  if (typeof id !== 'string' || typeof text !== 'string' || !ID.test(id)) return;
  const author = typeof authorId === 'string' && ID.test(authorId) ? authorId : undefined;
  if (author !== undefined && !users.has(author)) users.set(author, inventedUser(author));
  const { username } = (author === undefined ? undefined : users.get(author)) ?? ensureUser(users);
  posts.set(id, { id, author: username, text: unescapeText(text) });
}

/** Returns the first user, and invents one if there is none. */
function ensureUser(users: Map<string, WorldUser>): WorldUser {
  const [first] = users.values();
  if (first) return first;
  const invented = { id: '1', username: 'somebody', name: 'Somebody' };
  users.set(invented.id, invented);
  return invented;
}

function inventedUser(id: string): WorldUser {
  // A username has at most 15 characters, and ids differ in their last digits.
  return { id, username: `u${id.slice(-14)}`, name: `User ${id}` };
}

function inventedPost(id: string, author: string): WorldPost {
  return { id, author, text: `Post ${id}` };
}

function appOf({ app }: JournalEntry, owner: string): object {
  return {
    id: app?.id ?? '1',
    name: app?.name ?? 'app',
    owner,
    access_level: 'elevated',
    track: 'academic_research',
    permissions: 'read_write_dm',
    api_key: 'copied-api-key',
    api_secret: 'copied-api-secret',
    bearer_token: COPIED_TOKENS.app,
    client_id: 'copied-client-id',
    client_secret: 'copied-client-secret',
    redirect_uris: ['http://127.0.0.1:3000/callback'],
  };
}

function tokensOf({ userId, app }: JournalEntry, users: ReadonlyMap<string, WorldUser>): object {
  const user = userId === undefined ? undefined : users.get(userId)?.username;
  if (user === undefined) return {};
  const token = { app: app?.id ?? '1', user, kind: 'oauth2', access_token: COPIED_TOKENS.user };
  return { tokens: [token] };
}
