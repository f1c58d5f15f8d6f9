/**
 * Every kind of job with the payload it carries. Payloads are JSON: ids are decimal strings. Jobs outlive the build that
 * enqueued them, so a shape that has been released may only gain optional members.
 */
export interface JobPayloads {
  /** Where the hourly clean-up goes on; `{}` begins it. */
  readonly housekeeping: HousekeepingPayload;
}

export interface HousekeepingPayload {
  /** Which table it is at; the first one when absent. */
  readonly step?: 'recent-texts' | 'bearer-tokens';
  /** The last key that was looked at; absent at the beginning of the table. */
  readonly after?: readonly string[];
}
