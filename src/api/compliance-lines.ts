import type { FeedEvent } from '../core/feed-event.js';
import type { PostId } from '../core/ids.js';
import type { AccountStanding } from '../core/user.js';
import type { StreamEntry } from '../services/streams/feed-streams.js';
import { presentDate } from '../views/present/dates.js';

/** A line of a compliance stream: `data`, and the id that determines its partition. */
export interface ComplianceLine {
  readonly id: bigint;
  readonly data: object;
}

/** Returns the lines about posts, in order (docs/api/streams.md#compliance). */
export function postLines(
  entries: readonly StreamEntry[],
  histories: ReadonlyMap<PostId, readonly string[]>,
): ComplianceLine[] {
  return linesOf(entries, (event, event_at) => {
    if (event.kind === 'post-deleted') {
      const { postId, authorId, quotedPostId } = event;
      const quoted = quotedPostId === undefined ? {} : { quote_tweet_id: String(quotedPostId) };
      const tweet = { id: String(postId), author_id: String(authorId) };
      return [{ id: postId, data: { delete: { event_at, tweet, ...quoted } } }];
    }
    const history = event.kind === 'post-edited' ? histories.get(event.postId) : undefined;
    if (event.kind !== 'post-edited' || history === undefined) return [];
    const ids = { initial_tweet_id: history[0], edit_tweet_ids: history };
    return [
      { id: event.postId, data: { tweet_edit: { event_at, tweet: { id: String(event.postId) }, ...ids } } },
    ];
  });
}

/** Returns the lines about accounts, in order. */
export function userLines(entries: readonly StreamEntry[]): ComplianceLine[] {
  return [...linesOf(entries, accountLines), ...entries.flatMap(scrubLines)];
}

/** Returns the lines about likes, in order. */
export function likeLines(entries: readonly StreamEntry[]): ComplianceLine[] {
  return linesOf(entries, (event, event_at) => {
    if (event.kind !== 'like-undone') return [];
    const favorite = { id: String(event.postId), user_id: String(event.userId) };
    return [{ id: event.postId, data: { delete: { event_at, favorite } } }];
  });
}

function linesOf(
  entries: readonly StreamEntry[],
  lines: (event: FeedEvent, at: string) => readonly ComplianceLine[],
): ComplianceLine[] {
  return entries.flatMap(({ atMs, events }) => events.flatMap((event) => lines(event, presentDate(atMs))));
}

/** The members of profiles that are reported, by their names on the wire. */
const PROFILE_FIELDS = ['description', 'name', 'location', 'url'] as const;

function accountLines(event: FeedEvent, event_at: string): ComplianceLine[] {
  const line = (name: string, more: object = {}): ComplianceLine[] => {
    if (!('userId' in event)) return [];
    return [
      { id: event.userId, data: { [name]: { user: { id: String(event.userId) }, ...more, event_at } } },
    ];
  };
  if (event.kind === 'account-protected') return line('user_protect');
  if (event.kind === 'account-unprotected') return line('user_unprotect');
  if (event.kind === 'account-standing')
    return standingNames(event.standing, event.before).flatMap((name) => line(name));
  if (event.kind !== 'profile-changed') return [];
  return PROFILE_FIELDS.filter((name) => name in event.before || name in event.after).flatMap((name) =>
    line('user_profile_modification', { profile_field: name, new_value: event.after[name] ?? '' }),
  );
}

/** Returns what a change of standing is for a client: to it, a deactivated account is deleted. */
function standingNames(
  standing: AccountStanding,
  before: AccountStanding = standing === 'active' ? 'suspended' : 'active',
): string[] {
  switch (standing) {
    case 'active':
      return [before === 'suspended' ? 'user_unsuspend' : 'user_undelete'];
    case 'suspended':
      return ['user_suspend'];
    case 'deactivated':
      return before === 'suspended' ? ['user_unsuspend', 'user_delete'] : ['user_delete'];
    case 'deleting':
      return ['user_delete'];
  }
}

/** Places are removed from all posts of an account: one line for each account of an entry, up to its newest post. */
function scrubLines({ atMs, events }: StreamEntry): ComplianceLine[] {
  const newest = new Map<bigint, PostId>();
  for (const event of events) {
    if (event.kind !== 'post-scrubbed') continue;
    const known = newest.get(event.authorId);
    if (known === undefined || known < event.postId) newest.set(event.authorId, event.postId);
  }
  return [...newest].map(([id, upTo]) => {
    const ids = { user: { id: String(id) }, up_to_tweet_id: String(upTo) };
    return { id, data: { scrub_geo: { ...ids, event_at: presentDate(atMs) } } };
  });
}
