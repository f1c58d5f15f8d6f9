import { CodedRefusal, OAuth1Refused } from '../auth/oauth1/refusal.js';
import { OAuthError } from '../auth/oauth2/oauth-error.js';
import type { Explanation } from '../core/explanation.js';
import { PipitError } from '../core/errors.js';
import { hideInBaseString, type Shown } from './hide.js';
import { InjectedFault } from './injected-fault.js';
import type { Nearest } from './nearest.js';

/** The reason for a refused request, safe for the log. */
export interface Refusal {
  readonly reason: string;
  readonly detail?: string;
  /** The base string that the server computed, for an OAuth 1.0a signature that does not match. */
  readonly baseString?: string;
  /** What would have been accepted in place of what was wrong; in the journal only. */
  readonly nearest?: readonly Nearest[];
  /** Why credentials were refused, where the journal could find out (docs/inspector.md). */
  readonly explanation?: Omit<Explanation, 'appId'>;
}

const MAX_DETAIL_LENGTH = 200;
const MAX_NAMES = 20;

/**
 * Describes the error that refused a request. Omits texts from the client: of parameters only the names are included.
 */
export function refusalOf(failure: unknown, shown: Shown): Refusal | undefined {
  if (failure === undefined) return undefined;
  if (failure instanceof OAuth1Refused) {
    const { part, message: detail, baseString } = failure;
    return {
      reason: `oauth1-${part}`,
      detail,
      ...(baseString !== undefined && { baseString: hideInBaseString(baseString, shown) }),
    };
  }
  if (failure instanceof InjectedFault) return { reason: 'fault', detail: failure.source };
  if (failure instanceof PipitError) return { reason: failure.failure.code, detail: cut(detailOf(failure)) };
  if (failure instanceof CodedRefusal)
    return { reason: `code-${failure.code}`, detail: cut(failure.message) };
  if (failure instanceof OAuthError) return { reason: failure.code, detail: cut(failure.description) };
  return { reason: 'internal' };
}

/** The failures whose message contains nothing from the client. */
const OWN_MESSAGES: ReadonlySet<string> = new Set(['unauthorized', 'scope-missing', 'forbidden', 'conflict']);

function detailOf({ failure, message }: PipitError): string | undefined {
  if (failure.code === 'resource-not-found')
    return `${failure.resource.resourceType} by ${failure.resource.parameter}`;
  if (failure.code === 'invalid-request') {
    const violations = failure.violations.slice(0, MAX_NAMES);
    return violations.flatMap(({ parameters }) => Object.keys(parameters)).join(' ');
  }
  return OWN_MESSAGES.has(failure.code) ? message : undefined;
}

function cut(text: string | undefined): string | undefined {
  return text?.slice(0, MAX_DETAIL_LENGTH);
}
