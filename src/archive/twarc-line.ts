import {
  asArray,
  asObject,
  asObjects,
  asTimeMs,
  isObject,
  RefusedObject,
  type WireObject,
} from './wire-json.js';

/** Lines that are known to hold neither posts nor users. */
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

/** The objects of a line, unmapped; the same one may be there several times. */
export interface LineObjects {
  /** When the line was fetched; 0 when it does not say. */
  readonly observedAtMs: number;
  readonly posts: WireObject[];
  readonly users: WireObject[];
  readonly media: WireObject[];
  readonly polls: WireObject[];
  readonly places: WireObject[];
}

export type LineContent = LineObjects | { readonly skipped: SkippedKind };

/**
 * Sorts out a line of twarc2 JSONL: a page of an endpoint, a line of a stream, a flattened post or a user. Throws
 * RefusedObject for JSON that is none of the kinds such files are known to hold.
 */
export function readTwarcLine(line: unknown): LineContent {
  if (!isObject(line)) throw new RefusedObject('no JSON object');
  if (line.id_str !== undefined) throw new RefusedObject('a post of version 1.1: only version 2 is read');
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

/** The kinds of line that are told by their own members. */
function skippedKind(line: WireObject): SkippedKind | undefined {
  if (line.data !== undefined || line.includes !== undefined) return undefined;
  if (isPost(line) || isUser(line)) return undefined;
  const other = kindOfOther(line);
  if (other) return other;
  const isPage = line.meta !== undefined || line.__twarc !== undefined || Object.keys(line).length === 0;
  if (isPage) return 'empty';
  throw new RefusedObject('nothing that is known here');
}

function mainObjects(line: WireObject): readonly unknown[] {
  if (line.data === undefined && line.includes === undefined) return [line];
  return Array.isArray(line.data) ? line.data : [line.data];
}

/** Takes the posts and users among the items; returns the kind of the last that is neither. */
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

/** Which member gives an object that is neither post nor user away. */
const TELLING: readonly (readonly [string, SkippedKind])[] = [
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
  for (const [member, kind] of TELLING) if (wire[member] !== undefined) return kind;
  return undefined;
}

/** Takes what flattening put into posts and users: authors, referenced posts, media, polls, places, pinned posts. */
function addInlined(found: LineObjects): void {
  // The arrays grow while they are walked, so that nesting needs no recursion.
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
  for (const mention of asArray(asObject(post.entities)?.mentions)) addUser(found, mention);
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

/** One by one: a line may hold more objects than a call takes arguments. */
function append(target: WireObject[], value: unknown): void {
  for (const item of asObjects(value)) target.push(item);
}
