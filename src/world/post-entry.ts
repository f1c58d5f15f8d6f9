import type { PostId } from '../core/ids.js';
import { REQUESTED_REPLY_SETTINGS } from '../core/post.js';
import type { WorldFaults } from './faults.js';
import { mediaKey } from './media.js';
import { placeId } from './places.js';
import {
  bool,
  idOf,
  integerFrom,
  listOf,
  matching,
  objectOf,
  oneOf,
  optional,
  required,
  textOf,
  timestamp,
  type Reader,
} from './readers.js';
import { username } from './users.js';

/** Far above what the interface takes (280 weighted), for posts of other origin. */
const MAX_TEXT = 25_000;
const MAX_SOURCE = 200;
/** reference/behaviours.md 4. */
const MAX_MEDIA = 4;
const MAX_TAGS = 10;
const MAX_POLL_OPTION = 25;
const POLL_MINUTES = [5, 10_080] as const;

const poll = objectOf({
  options: required(listOf(textOf(1, MAX_POLL_OPTION), 2, 4)),
  duration_minutes: required(integerFrom(...POLL_MINUTES)),
  votes: optional(listOf(integerFrom(0, Number.MAX_SAFE_INTEGER))),
});

const withheld = objectOf({
  country_codes: required(listOf(matching(/^[A-Z]{2}$/, 'a country code of two capital letters'), 1)),
  copyright: optional(bool),
});

const post = objectOf({
  id: required(idOf<PostId>()),
  author: required(username),
  text: optional(textOf(0, MAX_TEXT)),
  created_at: optional(timestamp),
  lang: optional(matching(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'a BCP 47 language tag')),
  source: optional(textOf(1, MAX_SOURCE)),
  in_reply_to: optional(idOf<PostId>()),
  quote_of: optional(idOf<PostId>()),
  repost_of: optional(idOf<PostId>()),
  media: optional(listOf(mediaKey, 0, MAX_MEDIA)),
  tagged_users: optional(listOf(username, 0, MAX_TAGS)),
  poll: optional(poll),
  place: optional(placeId),
  reply_settings: optional(oneOf(['everyone', ...REQUESTED_REPLY_SETTINGS])),
  possibly_sensitive: optional(bool),
  hidden: optional(bool),
  super_followers_only: optional(bool),
  exclude_reply_users: optional(listOf(username)),
  withheld: optional(withheld),
});
export type WorldPost = NonNullable<ReturnType<typeof post>>;

/** What a repost may say of itself; the rest is the original's. */
const REPOST_KEYS: ReadonlySet<string> = new Set([
  'id',
  'path',
  'author',
  'created_at',
  'source',
  'repost_of',
]);

/** Posts, each checked for itself. */
export const readPosts: Reader<readonly WorldPost[]> = (value, path, faults) => {
  const posts = listOf(post)(value, path, faults);
  for (const entry of posts ?? []) checkPost(entry, faults);
  return posts;
};

function checkPost(entry: WorldPost, faults: WorldFaults): void {
  if (entry.repost_of !== undefined) return checkRepost(entry, faults);
  const { path } = entry;
  const hasContent = entry.text?.trim() || entry.media?.length || entry.poll || entry.quote_of !== undefined;
  if (!hasContent)
    faults.add(`${path}.text`, 'is missing, and there is no media, poll, quote_of or repost_of');
  if (entry.in_reply_to === undefined) {
    if (entry.hidden) faults.add(`${path}.hidden`, 'only a reply can be hidden: in_reply_to is missing');
    if (entry.exclude_reply_users?.length)
      faults.add(`${path}.exclude_reply_users`, 'only a reply can exclude users: in_reply_to is missing');
  }
  checkPoll(entry, faults);
}

function checkRepost(entry: WorldPost, faults: WorldFaults): void {
  for (const key of Object.keys(entry)) {
    if (!REPOST_KEYS.has(key)) faults.add(`${entry.path}.${key}`, 'does not go with repost_of');
  }
}

function checkPoll({ poll, media, quote_of, path }: WorldPost, faults: WorldFaults): void {
  if (!poll) return;
  if (media?.length) faults.add(`${path}.poll`, 'does not go with media');
  if (quote_of !== undefined) faults.add(`${path}.poll`, 'does not go with quote_of');
  if (new Set(poll.options).size < poll.options.length)
    faults.add(`${poll.path}.options`, 'must differ from each other');
  if (poll.votes && poll.votes.length !== poll.options.length)
    faults.add(`${poll.path}.votes`, `must have one number for each of the ${poll.options.length} options`);
}
