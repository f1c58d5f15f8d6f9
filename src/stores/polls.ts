import type { PollId } from '../core/ids.js';
import type { Poll } from '../core/post.js';
import { asId, asJson, asOptionalNumber, asOptionalText, toJson } from '../database/sql.js';
import { defineTable, deleteBy } from '../database/table.js';

const POLLS = defineTable<Poll, PollId>('polls', 'id', {
  id: ['id', asId],
  options: ['options', (value) => asJson(value) ?? [], toJson],
  durationMinutes: ['duration_minutes', asOptionalNumber],
  endsAtMs: ['ends_at', asOptionalNumber],
  votingStatus: ['voting_status', asOptionalText],
});

export const findPoll = POLLS.find;
export const findPolls = POLLS.findAmong;
export const insertPoll = POLLS.insertNew;
export const updatePoll = POLLS.overwriter();

export const deletePoll = deleteBy<PollId>('id', 'polls');
