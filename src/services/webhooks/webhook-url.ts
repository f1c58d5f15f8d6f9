import { invalidRequest, type PipitError } from '../../core/errors.js';

/** The longest URL of a webhook, in characters. */
const MAX_URL_LENGTH = 200;

/** Visible ASCII, which a request can contain as it is; no fragment, which no request contains. */
const VISIBLE = /^https?:\/\/[!-"$-~]+$/i;

/** Returns a refusal; `reason` is one of the documented words (docs/api/webhooks.md#registration). */
export function refused(
  reason:
    | 'CrcValidationFailed'
    | 'UrlValidationFailed'
    | 'DuplicateUrlFailed'
    | 'WebhookLimitExceeded'
    | 'WebhookIdInvalid'
    | 'ReplayRunning',
  parameter: 'url' | 'webhook_id',
  value: string,
  detail: string,
): PipitError {
  return invalidRequest(parameter, [value], `${reason}: ${detail}`);
}

/** How many webhooks an app may have. */
export const MAX_WEBHOOKS = 5;

/** Throws 'invalid-request' for a text that is not the URL of a webhook. Which hosts are allowed shows at a request. */
export function requireWebhookUrl(url: string): void {
  const fault = faultOfWebhookUrl(url);
  if (fault !== undefined) throw refused('UrlValidationFailed', 'url', url, fault);
}

/** Returns why a text is not the URL of a webhook; undefined if it is one. */
export function faultOfWebhookUrl(url: string): string | undefined {
  if (url.length > MAX_URL_LENGTH) return `The URL must have at most ${MAX_URL_LENGTH} characters.`;
  if (!VISIBLE.test(url) || !URL.canParse(url)) return 'The URL is not an absolute web address.';
  const { username, password, hostname } = new URL(url);
  if (username !== '' || password !== '') return 'The URL must not contain credentials.';
  return hostname === '' ? 'The URL has no host.' : undefined;
}
