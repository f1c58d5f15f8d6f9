import type { Explanation } from '../../core/explanation.js';
import { durationWords } from './time-words.js';

/** Explains a timestamp that is out of bounds (docs/api/authentication.md#signature). */
export function explainTimestamp(timestampSeconds: number, nowMs: number): Explanation {
  const aheadMs = timestampSeconds * 1000 - nowMs;
  const difference = `${durationWords(aheadMs)} ${aheadMs < 0 ? 'behind' : 'ahead of'}`;
  return {
    step: 'timestamp',
    summary: `The oauth_timestamp is ${difference} the clock of this server. It may be 5 minutes behind and 1 minute ahead.`,
    compared: [
      {
        what: 'Seconds since 1970',
        client: String(timestampSeconds),
        server: String(Math.floor(nowMs / 1000)),
      },
    ],
    hints: ['The Date header of each answer has the time. A sandbox may have a clock of its own.'],
  };
}

/** Explains a timestamp that is not a number of seconds. */
export function explainMalformedTimestamp(text: string): Explanation {
  const isMs = /^[0-9]{13}$/.test(text);
  return {
    step: 'timestamp',
    summary: isMs
      ? 'The oauth_timestamp is in milliseconds. It must be in seconds.'
      : 'The oauth_timestamp must be the seconds since 1970, in digits.',
  };
}

/** Explains a nonce that was used. */
export function explainNonce(): Explanation {
  return {
    step: 'nonce',
    summary: 'A request with the same oauth_nonce and oauth_timestamp was accepted before.',
    hints: ['Sign each attempt again: a repeated request needs a new nonce.'],
  };
}
