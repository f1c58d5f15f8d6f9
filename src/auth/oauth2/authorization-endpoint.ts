import type { UserId } from '../../core/ids.js';
import type { App } from '../../stores/apps.js';
import { answerUri } from '../answer-uri.js';
import { issueCode } from './authorization-code.js';
import { readRequest, readTarget, type AuthorizationRequest } from './authorization-request.js';
import type { GrantDeps } from './issue-tokens.js';
import { OAuthError } from './oauth-error.js';

/** A request for the user's decision, or an error of the app with the redirect that reports it. */
type ReadAuthorization =
  | { readonly kind: 'request'; readonly request: AuthorizationRequest }
  | { readonly kind: 'refused'; readonly app: App; readonly reason: string; readonly location: string };

/** The authorization endpoint without its pages (docs/api/authentication.md#authorize). */
export interface AuthorizationEndpoint {
  /** Reads an authorization request. Throws PipitError `invalid-request` if there is no valid redirect URI. */
  read(query: URLSearchParams): Promise<ReadAuthorization>;
  /** Records the user's consent. Returns where to redirect the browser. */
  approve(request: AuthorizationRequest, userId: UserId): Promise<string>;
  /** Returns where to redirect the browser after the user declined. */
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
