import type { UserId } from '../../core/ids.js';
import type { App } from '../../stores/apps.js';
import { answerUri } from '../answer-uri.js';
import { issueCode } from './authorization-code.js';
import { readRequest, readTarget, type AuthorizationRequest } from './authorization-request.js';
import type { GrantDeps } from './issue-tokens.js';
import { OAuthError } from './oauth-error.js';

/** A request that a user can decide on, or where the browser of a user goes because the app's request is wrong. */
type ReadAuthorization =
  | { readonly kind: 'request'; readonly request: AuthorizationRequest }
  | { readonly kind: 'refused'; readonly app: App; readonly reason: string; readonly location: string };

/** The authorization endpoint without its pages (docs/api/authentication.md#authorize). */
export interface AuthorizationEndpoint {
  /** Throws PipitError `invalid-request` as long as it is not known whom to answer. */
  read(query: URLSearchParams): Promise<ReadAuthorization>;
  /** The user consents; resolves to where to send the browser. */
  approve(request: AuthorizationRequest, userId: UserId): Promise<string>;
  /** The user declines; where to send the browser. */
  deny(request: AuthorizationRequest): string;
}

export function createAuthorizationEndpoint(deps: GrantDeps): AuthorizationEndpoint {
  return {
    read: async (query) => {
      const target = await readTarget(deps.engine, query);
      try {
        return { kind: 'request', request: readRequest(target, new Map(query)) };
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        const { code, description } = error;
        const parameters = { error: code, error_description: description, state: target.state };
        const location = answerUri(target.redirectUri, parameters);
        return { kind: 'refused', app: target.app, reason: description ?? code, location };
      }
    },
    approve: async (request, userId) => {
      const code = await issueCode(deps, request, userId);
      return answerUri(request.redirectUri, { state: request.state, code });
    },
    deny: ({ redirectUri, state }) => answerUri(redirectUri, { error: 'access_denied', state }),
  };
}
