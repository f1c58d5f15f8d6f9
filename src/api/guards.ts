import { type AppAccess, type Context, type Principal, permits } from '../core/access.js';
import { PipitError, invalidRequest } from '../core/errors.js';
import { explained } from '../core/explanation.js';
import { explainContext, explainPermission, explainScopes } from './explain-guards.js';
import type { CredentialRules } from './endpoint.js';

/** Counts requests, and the returned posts that count toward the project's cap (docs/api/limits.md#sizes). */
export interface UsageCap {
  /** Counts a request of the app, successful or not. */
  countRequest(app: AppAccess): void;
  /** Throws PipitError `usage-capped` if the cap is reached. Returns undefined if there is nothing to await. */
  require(app: AppAccess): Promise<void> | undefined;
  record(app: AppAccess, postIds: readonly string[]): void;
}

const CONTEXT_NAMES: Readonly<Record<Context, string>> = {
  oauth1: 'OAuth 1.0a User Context',
  oauth2: 'OAuth 2.0 User Context',
  app: 'OAuth 2.0 Application-Only',
};

/** The order in which messages list the contexts (docs/api/errors.md#problems). */
const CONTEXT_ORDER: readonly Context[] = ['oauth1', 'oauth2', 'app'];

/**
 * Checks what a principal may do, in the order of docs/api/errors.md#order-of-checks: context, track, permission or
 * scope. The access level comes first: it refuses the app regardless of the caller (docs/api/media.md#uploads).
 * Throws PipitError for the first failure.
 */
export function authorize(rules: CredentialRules, principal: Principal): void {
  const { accessLevel: level, clientId } = principal.app;
  if (rules.levels?.includes(level) === false) {
    throw new PipitError({ code: 'access-level-too-low', clientId });
  }
  if (!rules.contexts.includes(principal.context)) throw unsupportedContext(rules, principal);
  if (rules.track !== undefined && principal.app.track !== rules.track) {
    throw new PipitError({ code: 'research-track-required', clientId });
  }
  if (principal.context === 'app') return;
  const needed = rules.permission ?? 'read';
  if (!permits(principal.permission, needed)) {
    throw explained(new PipitError({ code: 'permission-missing', used: principal.context }), () =>
      explainPermission(needed, principal),
    );
  }
  if (principal.context === 'oauth2') requireScopes(rules, principal);
}

function requireScopes(
  { scopes = [], anyScope }: CredentialRules,
  principal: Extract<Principal, { readonly context: 'oauth2' }>,
): void {
  const missing = scopes.find((scope) => !principal.scopes.has(scope));
  if (missing !== undefined) throw scopeMissing(missing, scopes, principal);
  if (anyScope?.some((scope) => principal.scopes.has(scope)) === false) {
    throw scopeMissing(anyScope.join(), anyScope, principal);
  }
}

function scopeMissing(
  missing: string,
  ...others: [needed: readonly string[], Parameters<typeof explainScopes>[2]]
) {
  return explained(new PipitError({ code: 'scope-missing' }, { message: missing }), () =>
    explainScopes(missing, ...others),
  );
}

function unsupportedContext(rules: CredentialRules, principal: Principal): PipitError {
  const { context: used } = principal;
  const supported = CONTEXT_ORDER.filter((context) => rules.contexts.includes(context));
  const error = new PipitError({
    code: 'unsupported-authentication',
    used: CONTEXT_NAMES[used],
    supported: supported.map((context) => CONTEXT_NAMES[context]),
  });
  return explained(error, () => explainContext(used, supported, principal));
}

/** Throws the 400 "not own id" of docs/api/errors.md#validation-messages if a path (`sent`) names another account. */
export function requireOwnId(name: string, id: unknown, sent: string, principal: Principal): void {
  if (principal.context === 'app' || id === principal.userId) return;
  throw invalidRequest(
    name,
    [sent],
    `The \`${name}\` query parameter value [${sent}] must be the same as the authenticating user [${principal.userId}]`,
  );
}
