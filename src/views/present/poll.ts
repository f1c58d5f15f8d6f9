import type { Poll } from '../../core/post.js';
import { presentDate } from './dates.js';

/** A poll (docs/api/objects.md#poll); it closes at its end, whatever was stored. */
export function presentPoll(poll: Poll, fields: ReadonlySet<string>, nowMs: number): Record<string, unknown> {
  const wire: Record<string, unknown> = {
    id: String(poll.id),
    options: poll.options.map((option, index) => ({
      position: index + 1,
      label: option.label,
      votes: option.votes,
    })),
  };
  if (fields.has('duration_minutes') && poll.durationMinutes !== undefined) {
    wire.duration_minutes = poll.durationMinutes;
  }
  if (fields.has('end_datetime') && poll.endsAtMs !== undefined) {
    wire.end_datetime = presentDate(poll.endsAtMs);
  }
  if (fields.has('voting_status')) wire.voting_status = votingStatus(poll, nowMs);
  return wire;
}

/** Closed from the second on that `end_datetime` names. */
function votingStatus(poll: Poll, nowMs: number): 'open' | 'closed' | undefined {
  if (poll.endsAtMs === undefined) return poll.votingStatus;
  return Math.floor(poll.endsAtMs / 1000) <= Math.floor(nowMs / 1000) ? 'closed' : 'open';
}
