import type { ArticleId, PollId, PostId } from '../core/ids.js';
import { MAX_EDITS } from '../core/edits.js';
import { POLL_MINUTES, POLL_OPTION_CHARACTERS, POLL_OPTIONS } from '../core/limits.js';
import { REQUESTED_REPLY_SETTINGS } from '../core/post.js';
import * as v from '../core/validators.js';
import { POST_DETAIL } from './kept-detail.js';
import type { Reference } from './known.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';
import { username } from './users.js';
import { checkVersion, version, VERSION_MEMBERS, type WorldVersion } from './version-entry.js';

const poll = objectOf({
  id: idOf<PollId>(),
  options: v.required(valuesOf(v.text(POLL_OPTION_CHARACTERS), POLL_OPTIONS)),
  duration_minutes: v.required(v.integer(POLL_MINUTES)),
  votes: valuesOf(v.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  voters: valuesOf(valuesOf(username)),
});

const withheld = objectOf({
  country_codes: v.required(
    valuesOf(v.matching(/^[A-Z]{2}$/, { description: 'a country code of two capital letters' }), { min: 1 }),
  ),
  copyright: v.boolean(),
});

const post = objectOf({
  ...VERSION_MEMBERS,
  author: v.required(username),
  in_reply_to: idOf<PostId>(),
  typed_handles_only: v.boolean(),
  quote_of: idOf<PostId>(),
  repost_of: idOf<PostId>(),
  poll,
  reply_settings: v.oneOf(['everyone', ...REQUESTED_REPLY_SETTINGS]),
  possibly_sensitive: v.boolean(),
  hidden: v.boolean(),
  super_followers_only: v.boolean(),
  exclude_reply_users: valuesOf(username),
  withheld,
  ...POST_DETAIL,
  article: idOf<ArticleId>(),
  edits: valuesOf(version, { min: 1, max: MAX_EDITS }),
});
export type WorldPost = v.ValueOf<typeof post>;

/** A version of a post with its author. */
export type AuthoredVersion = WorldVersion & { readonly author: string; readonly post: WorldPost };

/** Returns all versions of posts, those of each post oldest first. */
export function versionsOf(posts: readonly WorldPost[]): AuthoredVersion[] {
  return posts.flatMap((each) =>
    [each, ...(each.edits ?? [])].map((one) => ({ ...one, author: each.author, post: each })),
  );
}

/** The keys that a repost may have; it takes all others from its original. */
const REPOST_KEYS: ReadonlySet<string> = new Set([
  'id',
  'path',
  'author',
  'created_at',
  'source',
  'handles',
  'repost_of',
]);

/** Reads the section of posts and checks each entry alone. */
export const readPosts = v.refined(listOf(post), (posts, _path, faults) => {
  for (const entry of posts) checkPost(entry, faults);
  return posts;
});

/** The keys that the post of an article may have; it takes its text and media from the article. */
const ARTICLE_KEYS: ReadonlySet<string> = new Set([
  'id',
  'path',
  'author',
  'created_at',
  'lang',
  'source',
  'handles',
  'possibly_sensitive',
  'withheld',
  'article',
]);

function checkPost(entry: WorldPost, faults: v.FaultSink): void {
  if (entry.repost_of !== undefined) return checkKeys(entry, REPOST_KEYS, 'repost_of', faults);
  if (entry.article !== undefined) return checkKeys(entry, ARTICLE_KEYS, 'article', faults);
  checkVersion(entry, entry, faults);
  const { path } = entry;
  if (entry.in_reply_to === undefined) {
    if (entry.typed_handles_only)
      faults.add(`${path}.typed_handles_only`, 'is about the handles of a reply: in_reply_to is missing');
    if (entry.hidden) faults.add(`${path}.hidden`, 'only a reply can be hidden: in_reply_to is missing');
    if (entry.exclude_reply_users?.length)
      faults.add(`${path}.exclude_reply_users`, 'only a reply can exclude users: in_reply_to is missing');
  }
  checkPoll(entry, faults);
  checkEdits(entry, faults);
}

const NEVER_EDITED = ['poll', 'community'] as const;

/** Checks the later versions of a post alone (docs/api/posts.md#edits). */
function checkEdits(post: WorldPost, faults: v.FaultSink): void {
  const { edits = [] } = post;
  if (edits.length === 0) return;
  for (const key of NEVER_EDITED)
    if (post[key] !== undefined) faults.add(`${post.path}.edits`, `does not go with ${key}`);
  let { id: previous } = post;
  for (const edit of edits) {
    checkVersion(edit, post, faults);
    if (edit.id <= previous)
      faults.add(`${edit.path}.id`, `must be greater than ${previous}, the id of the version before`);
    previous = edit.id;
  }
}

function checkKeys(
  entry: WorldPost,
  allowed: ReadonlySet<string>,
  beside: string,
  faults: v.FaultSink,
): void {
  for (const key of Object.keys(entry)) {
    if (!allowed.has(key)) faults.add(`${entry.path}.${key}`, `does not go with ${beside}`);
  }
}

function checkPoll({ poll, media, quote_of, path }: WorldPost, faults: v.FaultSink): void {
  if (!poll) return;
  if (media?.length) faults.add(`${path}.poll`, 'does not go with media');
  if (quote_of !== undefined) faults.add(`${path}.poll`, 'does not go with quote_of');
  const labels = poll.options.map((label) => label.trim());
  if (labels.includes('')) faults.add(`${poll.path}.options`, 'must not be blank');
  if (new Set(labels).size < labels.length) faults.add(`${poll.path}.options`, 'must differ from each other');
  if (poll.votes && poll.votes.length !== poll.options.length)
    faults.add(`${poll.path}.votes`, `must have one number for each of the ${poll.options.length} options`);
  checkVoters(poll, faults);
}

function checkVoters(
  { voters = [], votes, options, path }: v.ValueOf<typeof poll>,
  faults: v.FaultSink,
): void {
  if (voters.length === 0) return;
  if (voters.length !== options.length)
    faults.add(`${path}.voters`, `must have one list for each of the ${options.length} options`);
  const first = new Map<string, string>();
  for (const [index, names] of voters.entries()) {
    if (votes && names.length > (votes[index] ?? 0))
      faults.add(
        `${path}.voters[${index}]`,
        `has more users than the option has votes: ${votes[index] ?? 0}`,
      );
    for (const [at, name] of names.entries()) {
      const place = `${path}.voters[${index}][${at}]`;
      const other = first.get(name.toLowerCase());
      if (other === undefined) first.set(name.toLowerCase(), place);
      else faults.add(place, `@${name} has voted at ${other} already`);
    }
  }
}

/** Returns the users who voted in the polls of posts. */
export function votersOf(posts: readonly WorldPost[]): Reference<string>[] {
  return posts.flatMap(({ poll }) =>
    (poll?.voters ?? []).flatMap((names, index) =>
      names.map((name, at) => ({ name, path: `${poll?.path}.voters[${index}][${at}]` })),
    ),
  );
}
