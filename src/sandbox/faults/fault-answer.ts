import { STATUS_CODES } from 'node:http';
import type { Failure } from '../../core/errors.js';
import { Answer } from '../../http/answer.js';
import { v1ProblemOf } from '../../http/problems-v1.js';
import { blank, problemOf, type ProblemAnswer } from '../../http/problems.js';
import { InjectedFault } from '../../journal/injected-fault.js';
import type { Effect } from './effect.js';

interface AnsweredFault {
  readonly source: string;
  readonly status: number;
  readonly style: 'problem' | 'v1';
  readonly nowMs: number;
  /** When a refused client may call again, for 429. */
  readonly retryAtMs: number;
  /** The id of the app, for 402. */
  readonly accountId: string;
}

/** Returns the answer of a fault with a status: the body of the interface for that status, or the body of the effect. */
export function faultAnswer({ body, headers }: Effect, fault: AnsweredFault): Answer {
  const problem = problemOfStatus(fault);
  const { contentType } = problem;
  const text = body?.json ?? JSON.stringify(problem.body);
  const all = { 'content-type': contentType, ...problem.headers, ...headers };
  return new Answer(fault.status, text, all, new InjectedFault(fault.source));
}

function problemOfStatus({ status, style, nowMs, ...details }: AnsweredFault): ProblemAnswer {
  const failure = failureOfStatus(status, details);
  if (failure === undefined) return blank(status, STATUS_CODES[status] ?? 'Unknown');
  return style === 'v1' ? v1ProblemOf(failure, nowMs) : problemOf(failure, nowMs);
}

const REFUSED = 'The sandbox refused this request.';

/** Returns the failure that the interface answers with a status, if there is one. */
function failureOfStatus(
  status: number,
  { retryAtMs, accountId }: Pick<AnsweredFault, 'retryAtMs' | 'accountId'>,
): Failure | undefined {
  switch (status) {
    case 400:
      return { code: 'invalid-request', violations: [{ parameters: {}, message: REFUSED }] };
    case 401:
      return { code: 'unauthorized' };
    case 402:
      return { code: 'credits-depleted', accountId };
    case 403:
      return { code: 'forbidden', detail: REFUSED };
    case 404:
      return { code: 'route-not-found' };
    case 409:
      return { code: 'conflict', detail: REFUSED };
    case 413:
      return { code: 'payload-too-large' };
    case 429:
      return { code: 'rate-limited', retryAtMs };
    case 500:
      return { code: 'internal' };
    case 503:
      return { code: 'unavailable', retryAfterSeconds: 1 };
    default:
      return undefined;
  }
}
