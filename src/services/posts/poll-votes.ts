import type { UserPrincipal } from '../../core/access.js';
import { forbidden, invalidRequest, resourceNotFound } from '../../core/errors.js';
import type { PollId, PostId, UserId } from '../../core/ids.js';
import { pollStatus, type Poll } from '../../core/post.js';
import type { Tx } from '../../database/engine.js';
import { findVotes, insertVote } from '../../stores/poll-votes.js';
import { findPoll, updatePoll } from '../../stores/polls.js';
import type { ServiceDeps } from '../service-deps.js';
import { requireNoBlock, requirePostTarget } from './action-rules.js';

export type PollService = ReturnType<typeof createPollService>;

/** Creates the service for votes in polls (docs/api/pipit.md#votes-in-polls). */
export function createPollService({ engine, clock }: Pick<ServiceDeps, 'engine' | 'clock'>) {
  return {
    /**
     * Votes for an option, counted from 1, and returns the poll with its results. The same vote again changes nothing.
     * Throws 'resource-not-found' for an unknown post or one without a poll, 'invalid-request' for an unknown option,
     * and 'forbidden' for another option after a vote, after the end, for the author, and as likes do.
     */
    vote: ({ userId }: UserPrincipal, postId: PostId, option: number) =>
      // The lock of the post serializes its votes, so that no count is lost.
      engine.tx('vote', (tx) => vote(tx, { userId, postId, option, nowMs: clock() }), 'read-committed'),
  };
}

interface Vote {
  readonly userId: UserId;
  readonly postId: PostId;
  readonly option: number;
  readonly nowMs: number;
}

async function vote(tx: Tx, { userId, postId, option, nowMs }: Vote): Promise<Poll> {
  const post = await requirePostTarget(tx, userId, postId, 'post_id');
  await requireNoBlock(tx, userId, post.authorId);
  const pollId = post.detail.pollIds?.[0];
  const poll = pollId === undefined ? undefined : await findPoll(tx, BigInt(pollId) as PollId);
  if (!poll) throw resourceNotFound({ resourceType: 'poll', parameter: 'post_id', value: String(postId) });
  if (option > poll.options.length) {
    throw invalidRequest(
      '$.option',
      [String(option)],
      `$.option: the poll has ${poll.options.length} options`,
    );
  }
  const earlier = (await findVotes(tx, userId, [poll.id])).get(poll.id);
  if (earlier === option) return poll;
  if (earlier !== undefined) throw forbidden('You have already voted in this poll.');
  if (post.authorId === userId) throw forbidden('You cannot vote in your own poll.');
  if (pollStatus(poll, nowMs) !== 'open') throw forbidden('This poll is closed.');
  await insertVote(tx, poll.id, userId, option);
  const options = poll.options.map((each, at) =>
    at + 1 === option ? { ...each, votes: each.votes + 1 } : each,
  );
  const counted = { ...poll, options };
  await updatePoll(tx, poll.id, counted);
  return counted;
}
