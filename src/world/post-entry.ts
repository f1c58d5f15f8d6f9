import type { PostId } from '../core/ids.js';
import {
  MAX_POST_CHARACTERS,
  MAX_POST_MEDIA,
  MAX_POST_WEIGHT,
  MAX_TAGGED_USERS,
  POLL_MINUTES,
  POLL_OPTION_CHARACTERS,
  POLL_OPTIONS,
} from '../core/limits.js';
import { weightedLength } from '../core/post-text/length.js';
import { hasInvalidCharacters, normalizePostText } from '../core/post-text/normalize.js';
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
  reader,
  required,
  textOf,
  timestamp,
  valuesOf,
  type Reader,
} from './readers.js';
import { username } from './users.js';

const MAX_SOURCE = 200;

const poll = objectOf({
  options: required(
    valuesOf(
      textOf(POLL_OPTION_CHARACTERS.min, POLL_OPTION_CHARACTERS.max),
      POLL_OPTIONS.min,
      POLL_OPTIONS.max,
    ),
  ),
  duration_minutes: required(integerFrom(POLL_MINUTES.min, POLL_MINUTES.max)),
  votes: optional(valuesOf(integerFrom(0, Number.MAX_SAFE_INTEGER))),
});

const withheld = objectOf({
  country_codes: required(valuesOf(matching(/^[A-Z]{2}$/, 'a country code of two capital letters'), 1)),
  copyright: optional(bool),
});

const post = objectOf({
  id: required(idOf<PostId>()),
  author: required(username),
  text: optional(textOf(0, MAX_POST_CHARACTERS)),
  created_at: optional(timestamp),
  lang: optional(matching(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'a BCP 47 language tag')),
  source: optional(textOf(1, MAX_SOURCE)),
  in_reply_to: optional(idOf<PostId>()),
  quote_of: optional(idOf<PostId>()),
  repost_of: optional(idOf<PostId>()),
  media: optional(valuesOf(mediaKey, 0, MAX_POST_MEDIA)),
  tagged_users: optional(valuesOf(username, 0, MAX_TAGGED_USERS)),
  poll: optional(poll),
  place: optional(placeId),
  reply_settings: optional(oneOf(['everyone', ...REQUESTED_REPLY_SETTINGS])),
  possibly_sensitive: optional(bool),
  hidden: optional(bool),
  super_followers_only: optional(bool),
  exclude_reply_users: optional(valuesOf(username)),
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
export const readPosts: Reader<readonly WorldPost[]> = reader(listOf(post).schema, (value, path, faults) => {
  const posts = listOf(post)(value, path, faults);
  for (const entry of posts ?? []) checkPost(entry, faults);
  return posts;
});

function checkPost(entry: WorldPost, faults: WorldFaults): void {
  if (entry.repost_of !== undefined) return checkRepost(entry, faults);
  checkText(entry, faults);
  const { path } = entry;
  if (entry.tagged_users?.length && !entry.media?.length)
    faults.add(`${path}.tagged_users`, 'only media have users tagged in them: media is missing');
  if (entry.media?.length && entry.quote_of !== undefined)
    faults.add(`${path}.media`, 'does not go with quote_of');
  if (entry.in_reply_to === undefined) {
    if (entry.hidden) faults.add(`${path}.hidden`, 'only a reply can be hidden: in_reply_to is missing');
    if (entry.exclude_reply_users?.length)
      faults.add(`${path}.exclude_reply_users`, 'only a reply can exclude users: in_reply_to is missing');
  }
  checkPoll(entry, faults);
}

/** The rules of a text as the interface has them (docs/api/posts.md#length). */
function checkText({ text, media, path }: WorldPost, faults: WorldFaults): void {
  const typed = normalizePostText(text ?? '');
  if (typed === '') {
    if (!media?.length) faults.add(`${path}.text`, 'is missing or blank, and there is no media');
    return;
  }
  if (hasInvalidCharacters(typed))
    faults.add(`${path}.text`, 'has a character that no post may have: U+0000, U+FEFF, U+FFFE or U+FFFF');
  const weight = weightedLength(typed);
  if (weight > MAX_POST_WEIGHT)
    faults.add(
      `${path}.text`,
      `is too long: ${weight} of at most ${MAX_POST_WEIGHT}, where links count 23, emoji and wide characters 2`,
    );
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
  const labels = poll.options.map((label) => label.trim());
  if (labels.includes('')) faults.add(`${poll.path}.options`, 'must not be blank');
  if (new Set(labels).size < labels.length) faults.add(`${poll.path}.options`, 'must differ from each other');
  if (poll.votes && poll.votes.length !== poll.options.length)
    faults.add(`${poll.path}.votes`, `must have one number for each of the ${poll.options.length} options`);
}
