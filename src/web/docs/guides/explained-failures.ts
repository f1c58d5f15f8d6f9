import { violation, type Failure } from '../../../core/errors.js';

/** A way in which a request fails: when it happens, and what to do about it. */
export interface ExplainedFailure {
  readonly failure: Failure;
  /** A heading. */
  readonly when: string;
  /** Sentences. */
  readonly remedy: string;
}

const TOO_FEW = 'The `max_results` query parameter value [3] is not between 10 and 100';

/** The failures that programs meet, by status (docs/api/errors.md#problems). */
export const EXPLAINED_FAILURES: readonly ExplainedFailure[] = [
  {
    failure: { code: 'invalid-request', violations: [violation('max_results', ['3'], TOO_FEW)] },
    when: 'A parameter or the body is wrong',
    remedy:
      'Each fault is listed with the values that were sent. For a body the name is its JSON path, such as $.poll.options.',
  },
  {
    failure: { code: 'unauthorized' },
    when: 'The credentials are missing or wrong',
    remedy:
      'Check the token, its expiry and, with OAuth 1.0a, the clock and the secrets. The inspector of your app says what was wrong.',
  },
  {
    failure: {
      code: 'unsupported-authentication',
      used: 'OAuth 2.0 Application-Only',
      supported: ['OAuth 1.0a User Context', 'OAuth 2.0 User Context'],
    },
    when: 'The kind of credential is not accepted',
    remedy: 'The page of the endpoint names those that it takes.',
  },
  {
    failure: { code: 'scope-missing' },
    when: 'The token lacks a scope',
    remedy: 'Ask the user again, with the scopes that the page of the endpoint names.',
  },
  {
    failure: { code: 'permission-missing', used: 'oauth1' },
    when: 'The token may not write',
    remedy:
      'Raise the permission of the app, and then issue a new token: earlier ones keep the lower permission.',
  },
  {
    failure: { code: 'research-track-required', clientId: '3001' },
    when: 'The access level or the track is too low',
    remedy: 'Operators of this server set both.',
  },
  {
    failure: { code: 'forbidden', detail: 'You are not allowed to create a Tweet with duplicate content.' },
    when: 'A rule refuses the action',
    remedy: 'The detail says which one.',
  },
  {
    failure: {
      code: 'resource-not-found',
      resource: { resourceType: 'tweet', parameter: 'id', value: '1346889436626259968' },
    },
    when: 'A write names an object that does not exist',
    remedy: 'It may have been deleted. Reads answer 200 with errors instead.',
  },
  {
    failure: { code: 'route-not-found' },
    when: 'The path is unknown',
    remedy: 'Operations that this server does not have name themselves in the answer.',
  },
  {
    failure: { code: 'method-not-allowed', allowed: ['GET', 'POST'] },
    when: 'The path has no such method',
    remedy: 'The header names those that it has.',
  },
  {
    failure: { code: 'conflict', detail: 'A compliance job of this type is in progress.' },
    when: 'The operation conflicts with another one',
    remedy: 'Try again when the other one has ended.',
  },
  {
    failure: { code: 'payload-too-large' },
    when: 'The body is too large',
    remedy: 'Upload large files in segments.',
  },
  {
    failure: { code: 'unsupported-encoding', encoding: 'gzip' },
    when: 'The body is compressed',
    remedy: 'Send it as it is.',
  },
  {
    failure: { code: 'rule-cap-exceeded', detail: 'Rule cap exceeded.' },
    when: 'The app would have too many rules',
    remedy: 'Delete rules of the filtered stream first.',
  },
  {
    failure: { code: 'rate-limited', retryAtMs: 60_000 },
    when: 'A rate limit is used up',
    remedy:
      'Wait until retry-after has passed. The x-rate-limit headers of earlier answers said how many requests were left.',
  },
  {
    failure: { code: 'usage-capped', accountId: '3001' },
    when: 'The monthly cap of posts is used up',
    remedy: 'The Usage tab of the app shows when the next period begins.',
  },
  {
    failure: { code: 'internal' },
    when: 'The server failed',
    remedy: 'It is a defect of the server. Its log has the request by the header x-transaction-id.',
  },
  {
    failure: { code: 'unavailable', retryAfterSeconds: 1 },
    when: 'The database cannot serve',
    remedy: 'Try again after retry-after. A write that was refused has changed nothing.',
  },
];
