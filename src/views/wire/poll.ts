import { count, date, fullObject, id, listOf, oneOf, schemaOf, text } from '../../core/json-schema.js';
import { pollStatus, type Poll } from '../../core/post.js';
import { presentDate } from '../present/dates.js';
import { field, required, type Fields } from './field.js';

const option = fullObject({
  position: schemaOf('integer', { minimum: 1, maximum: 4 }),
  label: text,
  votes: count,
});

/** A poll (docs/api/objects.md#poll); its state depends on the current time. */
export const pollFields = {
  id: required(id, (poll) => String(poll.id)),
  options: required(listOf(option), ({ options }) =>
    options.map(({ label, votes }, index) => ({ position: index + 1, label, votes })),
  ),
  duration_minutes: field(
    schemaOf('integer', { minimum: 5, maximum: 10_080 }),
    ({ durationMinutes }) => durationMinutes,
  ),
  end_datetime: field(date, ({ endsAtMs }) => presentDate(endsAtMs)),
  voting_status: field(oneOf('open', 'closed'), pollStatus),
} satisfies Fields<Poll, number>;
