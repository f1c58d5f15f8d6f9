import type { PostId } from '../../core/ids.js';
import type { SearchBounds } from '../../services/search/window.js';
import { idParam, type ParamValues, required, textParam, timestampParam } from './params.js';

/** What search and counts look for and where, in the order in which messages list it (docs/api/search.md#window, docs/api/search.md#counts). */
export const searchParams = {
  query: required(textParam('What to look for, in the query language.', { example: 'cat has:media' })),
  start_time: timestampParam('The earliest second of posts to find; ignored beside `since_id`.'),
  end_time: timestampParam('The second before which posts to find were made.'),
  since_id: idParam<PostId>('Only posts with a greater id.'),
  until_id: idParam<PostId>('Only posts with a smaller id.'),
};

/** The values that handlers get. */
export type SearchValues = ParamValues<typeof searchParams>;

/** Returns the bounds of a request. */
export function searchBounds(values: Omit<SearchValues, 'query'>): SearchBounds {
  return {
    startTimeMs: values.start_time,
    endTimeMs: values.end_time,
    sinceId: values.since_id,
    untilId: values.until_id,
  };
}
