/** The kinds of resources in errors (docs/api/errors.md#partial-errors). */
export type ResourceType =
  | 'tweet'
  | 'user'
  | 'list'
  | 'space'
  | 'media'
  | 'poll'
  | 'place'
  | 'trend'
  | 'article'
  | 'bookmark_folder'
  | 'community'
  | 'compliance_job'
  | 'activity_subscription'
  | 'dm_conversation'
  | 'dm_event'
  | 'journal_entry'
  | 'snapshot'
  | 'fault_rule'
  | 'saved_search';

/** A violated rule of a request: the raw values sent, by parameter or JSON path, and what is wrong with them. */
export interface Violation {
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  readonly message: string;
}

/** A missing resource referenced by a write. */
export interface MissingResource {
  readonly resourceType: ResourceType;
  readonly parameter: string;
  readonly value: string;
}

/** An operation of the API: method, path and description. */
export interface NamedOperation {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/**
 * The credential errors that v1.1 paths distinguish: codes 135, 89 and, for all others, 32
 * (docs/api/errors.md#v11-errors).
 */
export type UnauthorizedReason = 'timestamp-out-of-bounds' | 'invalid-token';

/**
 * All ways in which a request can fail as a whole. The set is closed: if `http/problems.ts` does not map a code to
 * its status and body, it does not compile.
 */
export type Failure =
  | { readonly code: 'invalid-request'; readonly violations: readonly Violation[] }
  | { readonly code: 'payload-too-large' }
  /** The client stopped sending its body. */
  | { readonly code: 'request-timeout' }
  | { readonly code: 'unsupported-encoding'; readonly encoding: string }
  | { readonly code: 'unauthorized'; readonly reason?: UnauthorizedReason }
  | {
      readonly code: 'unsupported-authentication';
      readonly used: string;
      readonly supported: readonly string[];
    }
  | { readonly code: 'research-track-required'; readonly clientId: string }
  /** The app's access level excludes this API version or group of endpoints (docs/api/errors.md#problems). */
  | { readonly code: 'access-level-too-low'; readonly clientId: string }
  | { readonly code: 'scope-missing' }
  /** The app or its token lacks the permission; `used` is the kind of credential. */
  | { readonly code: 'permission-missing'; readonly used: 'oauth1' | 'oauth2' }
  | { readonly code: 'forbidden'; readonly detail: string }
  /** A refusal that only v1.1 knows, with its number (docs/api/v1.md#errors). */
  | { readonly code: 'refused-v1'; readonly number: number; readonly status: number; readonly detail: string }
  | { readonly code: 'resource-not-found'; readonly resource: MissingResource }
  | { readonly code: 'route-not-found' }
  /** A known API operation that this server does not implement. */
  | { readonly code: 'not-implemented'; readonly operation: NamedOperation }
  | { readonly code: 'method-not-allowed'; readonly allowed: readonly string[] }
  | { readonly code: 'conflict'; readonly detail: string }
  /** The app would have more rules of its stream than it may. */
  | { readonly code: 'rule-cap-exceeded'; readonly detail: string }
  /** A stream cannot be opened. */
  | {
      readonly code: 'stream-refused';
      readonly issue: 'TooManyConnections' | 'RuleConfigurationIssue';
      readonly detail: string;
    }
  | { readonly code: 'rate-limited'; readonly retryAtMs: number }
  /** The project's monthly post cap is reached; `accountId` is the app's project. */
  | { readonly code: 'usage-capped'; readonly accountId: string }
  /** The app has spent its budget in a sandbox; `accountId` is the app's project. */
  | { readonly code: 'credits-depleted'; readonly accountId: string }
  | { readonly code: 'unavailable'; readonly retryAfterSeconds: number }
  | { readonly code: 'internal' };

/** The failure of a whole request. `failure` is safe to send; `message` and `cause` are for the log. */
export class PipitError extends Error {
  override readonly name = 'PipitError';

  constructor(
    readonly failure: Failure,
    options?: ErrorOptions & { message?: string },
  ) {
    super(options?.message ?? describe(failure), options);
  }
}

function describe(failure: Failure): string {
  if (failure.code === 'invalid-request') {
    return failure.violations.map((violation) => violation.message).join('; ');
  }
  if (failure.code === 'resource-not-found') {
    return `no ${failure.resource.resourceType} ${failure.resource.value}`;
  }
  return 'detail' in failure ? failure.detail : failure.code;
}

/** Returns the violation of a rule for one parameter. */
export function violation(parameter: string, values: readonly string[], message: string): Violation {
  return { parameters: { [parameter]: values }, message };
}

/** Throws a 400 if there are violations. */
export function refuseViolations(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new PipitError({ code: 'invalid-request', violations });
}

/** Creates a 400 with one violated rule (docs/api/errors.md#problems). */
export function invalidRequest(parameter: string, values: readonly string[], message: string): PipitError {
  return new PipitError({ code: 'invalid-request', violations: [violation(parameter, values, message)] });
}

/** Creates a 409. */
export function conflict(detail: string): PipitError {
  return new PipitError({ code: 'conflict', detail });
}

/** Creates a 403 for a refused action, with its documented text (docs/api/errors.md#refused-actions). */
export function forbidden(detail: string): PipitError {
  return new PipitError({ code: 'forbidden', detail });
}

/** Creates a 404 for a write whose target does not exist (docs/api/errors.md#refused-actions, last row but one). */
export function resourceNotFound(resource: MissingResource): PipitError {
  return new PipitError({ code: 'resource-not-found', resource });
}
