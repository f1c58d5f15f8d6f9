import { isObject } from '../core/validators.js';
import { asArray, asObject, asObjects, asTimeMs, RefusedObject, type WireObject } from './wire-json.js';

/** Known kinds of lines without posts and users. */
export const SKIPPED_KINDS = [
  'compliance',
  'counts',
  'empty',
  'errors',
  'lists',
  'messages',
  'spaces',
  'other',
] as const;
export type SkippedKind = (typeof SKIPPED_KINDS)[number];

/** The unmapped objects of a line; may contain duplicates. */
export interface LineObjects {
  /** The time of fetching; 0 when unknown. */
  readonly observedAtMs: number;
  readonly posts: WireObject[];
  readonly users: WireObject[];
  readonly media: WireObject[];
  readonly polls: WireObject[];
  readonly places: WireObject[];
}

export type LineContent = LineObjects | { readonly skipped: SkippedKind };

/**
 * Collects the objects of a twarc2 JSONL line: a page of an endpoint, a line of a stream, a flattened post or a user.
 * Throws RefusedObject for JSON of any other kind.
 */
export function readTwarcLine(line: unknown): LineContent {
  if (!isObject(line)) throw new RefusedObject('not a JSON object');
  if (line.id_str !== undefined)
    throw new RefusedObject('a post of version 1.1; only version 2 is supported');
  const kind = skippedKind(line);
  if (kind) return { skipped: kind };
  const found = noObjects(line);
  const skipped = sortInto(found, mainObjects(line));
  const includes = asObject(line.includes);
  append(found.posts, includes?.tweets);
  append(found.users, includes?.users);
  append(found.media, includes?.media);
  append(found.polls, includes?.polls);
  append(found.places, includes?.places);
  addInlined(found);
  if (found.posts.length + found.users.length > 0) return found;
  return { skipped: skipped ?? 'empty' };
}

function noObjects(line: WireObject): LineObjects {
  const observedAtMs = asTimeMs(asObject(line.__twarc)?.retrieved_at) ?? 0;
  return { observedAtMs, posts: [], users: [], media: [], polls: [], places: [] };
}

/** Returns the kind of a line without posts and users, by the members of the line itself. */
function skippedKind(line: WireObject): SkippedKind | undefined {
  if (line.data !== undefined || line.includes !== undefined) return undefined;
  if (isPost(line) || isUser(line)) return undefined;
  const other = kindOfOther(line);
  if (other) return other;
  const isPage = line.meta !== undefined || line.__twarc !== undefined || Object.keys(line).length === 0;
  if (isPage) return 'empty';
  throw new RefusedObject('unknown kind of object');
}

function mainObjects(line: WireObject): readonly unknown[] {
  if (line.data === undefined && line.includes === undefined) return [line];
  return Array.isArray(line.data) ? line.data : [line.data];
}

/** Collects the posts and users among the items; returns the kind of the last item that is neither. */
function sortInto(found: LineObjects, items: readonly unknown[]): SkippedKind | undefined {
  let skipped: SkippedKind | undefined;
  for (const item of items) {
    const wire = asObject(item);
    if (!wire) continue;
    if (isPost(wire)) found.posts.push(wire);
    else if (isUser(wire)) found.users.push(wire);
    else skipped = kindOfOther(wire) ?? 'other';
  }
  return skipped;
}

function isPost(wire: WireObject): boolean {
  return wire.text !== undefined && wire.id !== undefined && kindOfOther(wire) === undefined;
}

function isUser(wire: WireObject): boolean {
  return wire.username !== undefined && wire.id !== undefined;
}

/** Members that identify objects that are neither posts nor users. */
const MEMBER_KINDS: readonly (readonly [string, SkippedKind])[] = [
  ['tweet_count', 'counts'],
  ['event_type', 'messages'],
  ['dm_conversation_id', 'messages'],
  ['member_count', 'lists'],
  ['owner_id', 'lists'],
  ['host_ids', 'spaces'],
  ['is_ticketed', 'spaces'],
  ['action', 'compliance'],
  ['errors', 'errors'],
  ['disconnect_type', 'errors'],
  ['connection_issue', 'errors'],
  ['detail', 'errors'],
];

function kindOfOther(wire: WireObject): SkippedKind | undefined {
  for (const [member, kind] of MEMBER_KINDS) if (wire[member] !== undefined) return kind;
  return undefined;
}

/** Collects what flattening put into posts and users: authors, other posts, media, polls and places. */
function addInlined(found: LineObjects): void {
  // The arrays grow during iteration, so nesting needs no recursion.
  let posts = 0;
  for (let users = 0; posts < found.posts.length || users < found.users.length;) {
    const post = found.posts[posts];
    if (post) {
      addInlinedOfPost(found, post);
      posts += 1;
    } else {
      addPost(found, found.users[users]?.pinned_tweet);
      users += 1;
    }
  }
}

function addInlinedOfPost(found: LineObjects, post: WireObject): void {
  addUser(found, post.author);
  addUser(found, post.in_reply_to_user);
  for (const entities of [post.entities, asObject(post.note_tweet)?.entities]) {
    for (const mention of asArray(asObject(entities)?.mentions)) addUser(found, mention);
  }
  for (const reference of asArray(post.referenced_tweets)) addPost(found, reference);
  const attachments = asObject(post.attachments);
  append(found.media, attachments?.media);
  if (attachments?.poll !== undefined) append(found.polls, [attachments.poll]);
  const geo = asObject(post.geo);
  if (geo?.full_name !== undefined) found.places.push(geo);
}

function addUser(found: LineObjects, value: unknown): void {
  if (isObject(value) && value.name !== undefined && isUser(value)) found.users.push(value);
}

function addPost(found: LineObjects, value: unknown): void {
  if (isObject(value) && isPost(value)) found.posts.push(value);
}

/** Pushes one by one, because a line may have more objects than a call can take arguments. */
function append(target: WireObject[], value: unknown): void {
  for (const item of asObjects(value)) target.push(item);
}
