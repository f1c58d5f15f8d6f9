import { count, counts, date, fullObject, listOf, object, ref, text } from '../../core/json-schema.js';

/** A page of rules; one without rules has no `data` (docs/api/streams.md#rules). */
export const rulesPageSchema = object(
  {
    data: listOf(ref('StreamRule')),
    meta: object({ sent: date, result_count: count, next_token: text, previous_token: text }, [
      'sent',
      'result_count',
    ]),
  },
  ['meta'],
);

/** What was added or deleted (docs/api/streams.md#rules). */
export const ruleChangesSchema = object(
  {
    data: listOf(ref('StreamRule')),
    meta: fullObject({ sent: date, summary: ref('RuleSummary') }),
    errors: listOf(ref('RuleError')),
  },
  ['meta'],
);

/** How many rules of a request were added, or deleted. */
export const ruleSummary = {
  anyOf: [counts('created', 'not_created', 'valid', 'invalid'), counts('deleted', 'not_deleted')],
};
