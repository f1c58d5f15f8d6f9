import type { PollId, PostId } from '../core/ids.js';
import {
  MAX_POST_CHARACTERS,
  MAX_POST_MEDIA,
  MAX_TAGGED_USERS,
  POLL_MINUTES,
  POLL_OPTION_CHARACTERS,
  POLL_OPTIONS,
} from '../core/limits.js';
import { hasInvalidCharacters, normalizePostText } from '../core/post-text/normalize.js';
import { REQUESTED_REPLY_SETTINGS } from '../core/post.js';
import * as v from '../core/validators.js';
import { KEPT_MEMBERS } from './kept-detail.js';
import { mediaKey } from './media.js';
import { placeId } from './places.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const MAX_SOURCE = 200;

const poll = objectOf({
  id: idOf<PollId>(),
  options: v.required(valuesOf(v.text(POLL_OPTION_CHARACTERS), POLL_OPTIONS)),
  duration_minutes: v.required(v.integer(POLL_MINUTES)),
  votes: valuesOf(v.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
});

const withheld = objectOf({
  country_codes: v.required(
    valuesOf(v.matching(/^[A-Z]{2}$/, { description: 'a country code of two capital letters' }), { min: 1 }),
  ),
  copyright: v.boolean(),
});

const post = objectOf({
  id: v.required(idOf<PostId>()),
  author: v.required(username),
  text: v.text({ max: MAX_POST_CHARACTERS }),
  created_at: worldTime,
  lang: v.matching(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, { description: 'a BCP 47 language tag' }),
  source: v.text({ min: 1, max: MAX_SOURCE }),
  in_reply_to: idOf<PostId>(),
  typed_handles_only: v.boolean(),
  quote_of: idOf<PostId>(),
  repost_of: idOf<PostId>(),
  media: valuesOf(mediaKey, { max: MAX_POST_MEDIA }),
  tagged_users: valuesOf(username, { max: MAX_TAGGED_USERS }),
  poll: poll,
  place: placeId,
  reply_settings: v.oneOf(['everyone', ...REQUESTED_REPLY_SETTINGS]),
  possibly_sensitive: v.boolean(),
  hidden: v.boolean(),
  super_followers_only: v.boolean(),
  exclude_reply_users: valuesOf(username),
  withheld: withheld,
  ...KEPT_MEMBERS,
});
export type WorldPost = v.ValueOf<typeof post>;

/** The keys that a repost may have; it takes all others from its original. */
const REPOST_KEYS: ReadonlySet<string> = new Set([
  'id',
  'path',
  'author',
  'created_at',
  'source',
  'repost_of',
]);

/** Reads the section of posts and checks each entry alone. */
export const readPosts = v.refined(listOf(post), (posts, _path, faults) => {
  for (const entry of posts) checkPost(entry, faults);
  return posts;
});

function checkPost(entry: WorldPost, faults: v.FaultSink): void {
  if (entry.repost_of !== undefined) return checkRepost(entry, faults);
  checkText(entry, faults);
  const { path } = entry;
  if (entry.tagged_users?.length && !entry.media?.length)
    faults.add(`${path}.tagged_users`, 'only media have users tagged in them: media is missing');
  if (entry.media?.length && entry.quote_of !== undefined)
    faults.add(`${path}.media`, 'does not go with quote_of');
  if (entry.in_reply_to === undefined) {
    if (entry.typed_handles_only)
      faults.add(`${path}.typed_handles_only`, 'is about the handles of a reply: in_reply_to is missing');
    if (entry.hidden) faults.add(`${path}.hidden`, 'only a reply can be hidden: in_reply_to is missing');
    if (entry.exclude_reply_users?.length)
      faults.add(`${path}.exclude_reply_users`, 'only a reply can exclude users: in_reply_to is missing');
  }
  checkPoll(entry, faults);
  checkCard(entry, faults);
}

const BESIDE_CARD = ['media', 'poll', 'quote_of', 'direct_message_deep_link'] as const;

function checkCard(entry: WorldPost, faults: v.FaultSink): void {
  if (entry.card_uri === undefined) return;
  for (const key of BESIDE_CARD)
    if (entry[key] !== undefined) faults.add(`${entry.path}.card_uri`, `does not go with ${key}`);
}

/** Checks a text, except its length, by the rules of the interface (docs/api/posts.md#length). */
function checkText({ text, media, path }: WorldPost, faults: v.FaultSink): void {
  const typed = normalizePostText(text ?? '');
  if (typed === '') {
    if (!media?.length) faults.add(`${path}.text`, 'is missing or blank, and there is no media');
    return;
  }
  if (hasInvalidCharacters(typed))
    faults.add(`${path}.text`, 'has a character that no post may have: U+0000, U+FEFF, U+FFFE or U+FFFF');
}

function checkRepost(entry: WorldPost, faults: v.FaultSink): void {
  for (const key of Object.keys(entry)) {
    if (!REPOST_KEYS.has(key)) faults.add(`${entry.path}.${key}`, 'does not go with repost_of');
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
}
