import type { PostId } from '../core/ids.js';
import { MAX_POST_CHARACTERS, MAX_POST_MEDIA, MAX_TAGGED_USERS } from '../core/limits.js';
import { hasInvalidCharacters, normalizePostText } from '../core/post-text/normalize.js';
import * as v from '../core/validators.js';
import { handles } from './handles.js';
import { VERSION_DETAIL } from './kept-detail.js';
import { mediaKey } from './media-key.js';
import { placeId } from './places.js';
import { idOf, objectOf, valuesOf } from './readers.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const MAX_SOURCE = 200;

/** What each version of a post has of its own (docs/api/posts.md#edits). */
export const VERSION_MEMBERS = {
  id: v.required(idOf<PostId>()),
  text: v.text({ max: MAX_POST_CHARACTERS }),
  created_at: worldTime,
  lang: v.matching(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, { description: 'a BCP 47 language tag' }),
  source: v.text({ min: 1, max: MAX_SOURCE }),
  long: v.boolean(),
  handles,
  media: valuesOf(mediaKey, { max: MAX_POST_MEDIA }),
  tagged_users: valuesOf(username, { max: MAX_TAGGED_USERS }),
  place: placeId,
  place_removed_at: worldTime,
  ...VERSION_DETAIL,
};

/** A later version of a post. */
export const version = objectOf(VERSION_MEMBERS);
export type WorldVersion = v.ValueOf<typeof version>;

/** The members of a post that concern all its versions. */
interface AroundVersion {
  readonly quote_of?: PostId;
  readonly poll?: unknown;
}

/** Checks one version of a post alone. */
export function checkVersion(entry: WorldVersion, post: AroundVersion, faults: v.FaultSink): void {
  checkText(entry, faults);
  const { path } = entry;
  if (entry.tagged_users?.length && !entry.media?.length)
    faults.add(`${path}.tagged_users`, 'only media have users tagged in them: media is missing');
  if (entry.media?.length && post.quote_of !== undefined)
    faults.add(`${path}.media`, 'does not go with quote_of');
  if (entry.place !== undefined && entry.place_removed_at !== undefined)
    faults.add(`${path}.place_removed_at`, 'does not go with place');
  checkCard({ ...entry, quote_of: post.quote_of, poll: post.poll }, faults);
}

const BESIDE_CARD = ['media', 'poll', 'quote_of', 'direct_message_deep_link'] as const;

function checkCard(entry: WorldVersion & AroundVersion, faults: v.FaultSink): void {
  if (entry.card_uri === undefined) return;
  for (const key of BESIDE_CARD)
    if (entry[key] !== undefined) faults.add(`${entry.path}.card_uri`, `does not go with ${key}`);
}

/** Checks a text, except its length, by the rules of the interface (docs/api/posts.md#length). */
function checkText({ text, media, path }: WorldVersion, faults: v.FaultSink): void {
  const typed = normalizePostText(text ?? '');
  if (typed === '') {
    if (!media?.length) faults.add(`${path}.text`, 'is missing or blank, and there is no media');
    return;
  }
  if (hasInvalidCharacters(typed))
    faults.add(`${path}.text`, 'has a character that no post may have: U+0000, U+FEFF, U+FFFE or U+FFFF');
}
