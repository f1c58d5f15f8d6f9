import { randomBytes } from 'node:crypto';
import type { Webhook } from '../../stores/webhooks.js';
import { equalsInConstantTime } from '../secrets/secrets.js';
import type { Outgoing, OutgoingAnswer } from './outgoing/outgoing.js';
import { sign } from './signature.js';

/** The outcome of a check: `wrong` if the address cannot belong to the app, `down` if it may answer later. */
export type CheckOutcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'wrong' | 'down'; readonly error: string; readonly isRefused: boolean };

/** Checks that whoever answers at a URL knows the app's API secret (docs/api/webhooks.md#checks). */
export async function challenge(outgoing: Outgoing, url: string, apiSecret: string): Promise<CheckOutcome> {
  const token = randomBytes(32).toString('base64url');
  const asked = `crc_token=${token}&nonce=${randomBytes(16).toString('base64url')}`;
  const answer = await outgoing({ method: 'GET', url: `${url}${url.includes('?') ? '&' : '?'}${asked}` });
  return judge(answer, sign(apiSecret, token));
}

function judge(answer: OutgoingAnswer, expected: string): CheckOutcome {
  if (answer.kind !== 'answered') {
    const kind = answer.kind === 'failed' ? 'down' : 'wrong';
    return { kind, error: answer.error, isRefused: answer.kind === 'refused' };
  }
  const { status } = answer;
  if (status >= 300) {
    const error = `The answer has status ${status} instead of 200.`;
    return { kind: status < 400 ? 'wrong' : 'down', error, isRefused: false };
  }
  if (equalsInConstantTime(responseTokenOf(answer), expected)) return { kind: 'passed' };
  const error = 'The answer has no valid response_token.';
  return { kind: 'wrong', error, isRefused: false };
}

function responseTokenOf({ body, isWhole }: { readonly body: Buffer; readonly isWhole: boolean }): string {
  if (!isWhole) return '';
  try {
    const parsed: unknown = JSON.parse(body.toString());
    const token = (parsed as { readonly response_token?: unknown } | null)?.response_token;
    return typeof token === 'string' ? token : '';
  } catch {
    return '';
  }
}

/** The members of a webhook that a check changes. */
export type CheckedState = Pick<
  Webhook,
  'isValid' | 'invalidReason' | 'checkedAtMs' | 'checkError' | 'failingSinceMs'
>;

/** A webhook whose server is down stays valid for this time. */
const DOWN_LIMIT_MS = 28 * 3_600_000;

/** Returns the state of a webhook after a check. */
export function stateAfter(before: Webhook, outcome: CheckOutcome, nowMs: number): CheckedState {
  if (outcome.kind === 'passed') return passedAt(nowMs);
  const { isValid, failingSinceMs = nowMs } = before;
  const { error } = outcome;
  const isOver = outcome.kind === 'wrong' || nowMs - failingSinceMs >= DOWN_LIMIT_MS;
  const checked = { checkedAtMs: nowMs, checkError: error, failingSinceMs };
  if (!isValid) return { ...checked, isValid, invalidReason: before.invalidReason };
  return isOver
    ? { ...checked, isValid: false, invalidReason: `A check failed. ${error}` }
    : { ...checked, isValid: true };
}

/** Returns the state of a webhook that passed a check. */
export function passedAt(nowMs: number): CheckedState {
  return { isValid: true, checkedAtMs: nowMs };
}
