import { invalidRequest } from '../../core/errors.js';
import type { PostId } from '../../core/ids.js';
import type { TimelineBounds } from '../../services/timelines/walk-timeline.js';
import { EXCLUDABLE } from '../../views/page-rules.js';
import { choicesParam, idParam, type ParamValues, timestampParam } from './params.js';

/** The parameters that bound a timeline (docs/api/timelines.md#bounds). */
export const timelineBoundParams = {
  start_time: timestampParam('The earliest second of posts to return.'),
  end_time: timestampParam('The latest second of posts to return.'),
  since_id: idParam<PostId>('Only posts with a greater id.'),
  until_id: idParam<PostId>('Only posts with a smaller id.'),
};

export const excludeParam = { exclude: choicesParam(EXCLUDABLE, 'Kinds of posts to leave out.') };

/** The earliest times that an endpoint accepts, in milliseconds. */
export interface EarliestTimes {
  readonly startMs: number;
  readonly endMs: number;
}

const LAST_OF_SECOND_MS = 999;

/**
 * Returns the bounds of a request; both times are inclusive, in whole seconds (docs/api/timelines.md#bounds). Throws
 * PipitError `invalid-request` for times before `earliest`, and for an end before the start.
 */
export function timelineBounds(
  values: ParamValues<typeof timelineBoundParams>,
  earliest?: EarliestTimes,
): TimelineBounds {
  const { start_time: fromMs, end_time: endMs } = values;
  if (earliest) {
    requireFrom('start_time', fromMs, earliest.startMs);
    requireFrom('end_time', endMs, earliest.endMs);
  }
  if (fromMs !== undefined && endMs !== undefined && endMs < fromMs) {
    throw invalidTime('end_time', endMs, "must be after 'start_time'");
  }
  return {
    sinceId: values.since_id,
    untilId: values.until_id,
    fromMs,
    toMs: endMs === undefined ? undefined : endMs + LAST_OF_SECOND_MS,
  };
}

function requireFrom(name: string, timeMs: number | undefined, earliestMs: number): void {
  if (timeMs !== undefined && timeMs < earliestMs) {
    throw invalidTime(name, timeMs, `must be on or after ${toSeconds(earliestMs)}`);
  }
}

/** Worded as docs/api/errors.md#validation-messages. */
function invalidTime(name: string, timeMs: number, what: string): Error {
  const value = toSeconds(timeMs);
  return invalidRequest(name, [value], `Invalid '${name}':'${value}'. '${name}' ${what}`);
}

function toSeconds(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}
