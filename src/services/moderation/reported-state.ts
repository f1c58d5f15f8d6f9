import type { PollId } from '../../core/ids.js';
import { mediaIdOfKey, shownMediaKeys, wholeTextOf, type Post } from '../../core/post.js';
import type { ReportedState } from '../../core/report.js';
import type { User } from '../../core/user.js';
import type { Queryable } from '../../database/engine.js';
import { findMedia } from '../../stores/media.js';
import { findPoll } from '../../stores/polls.js';
import { findUser } from '../../stores/users.js';

/** Returns what a post shows now, to be kept with its reports. */
export async function stateOfPost(db: Queryable, post: Post): Promise<ReportedState> {
  const author = await findUser(db, post.authorId);
  const keys = shownMediaKeys(post);
  const stored = await findMedia(db, keys.map(mediaIdOfKey));
  const [pollId] = post.detail.pollIds ?? [];
  const poll = pollId === undefined ? undefined : await findPoll(db, BigInt(pollId) as PollId);
  const media = keys.flatMap((key) => {
    const found = stored.get(mediaIdOfKey(key));
    return found ? [{ type: found.type, altText: found.altText }] : [];
  });
  return {
    username: author?.username ?? '',
    name: author?.name ?? '',
    text: wholeTextOf(post).text,
    createdAtMs: post.createdAtMs,
    ...(media.length > 0 && { media }),
    ...(poll && { options: poll.options.map(({ label }) => label) }),
  };
}

/** Returns what a profile shows now. */
export function stateOfUser({
  username,
  name,
  description,
  createdAtMs,
  location,
  url,
}: User): ReportedState {
  return { username, name, text: description, createdAtMs, location, url };
}
