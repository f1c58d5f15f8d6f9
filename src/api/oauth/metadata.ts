import { SCOPES, type Scope } from '../../core/access.js';
import { Answer } from '../../http/answer.js';
import type { PlainRoute } from '../../http/plain-route.js';
import type { AnyEndpoint } from '../endpoint.js';

/** RFC 9728 3.1; the path of the resource follows. */
export const PROTECTED_RESOURCE_PATH = '/.well-known/oauth-protected-resource';

/** RFC 8414 3.1. */
const AUTHORIZATION_SERVER_PATH = '/.well-known/oauth-authorization-server';

/**
 * Creates the documents by which clients find the authorization server of the API and of `resourcePaths`
 * (docs/api/authentication.md#discovery).
 */
export function metadataRoutes(
  endpoints: readonly AnyEndpoint[],
  publicUrl: string,
  resourcePaths: readonly string[],
): PlainRoute[] {
  const scopes = scopesOf(endpoints);
  return [
    documentRoute(AUTHORIZATION_SERVER_PATH, authorizationServer(publicUrl)),
    ...['', ...resourcePaths].map((path) =>
      documentRoute(PROTECTED_RESOURCE_PATH + path, {
        resource: publicUrl + path,
        authorization_servers: [publicUrl],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
      }),
    ),
  ];
}

/** Returns the scopes that endpoints require, and the one that lets a client stay signed in. */
function scopesOf(endpoints: readonly AnyEndpoint[]): Scope[] {
  const required = new Set<Scope>(['offline.access']);
  for (const { access } of endpoints) {
    if (access !== 'public') for (const scope of access.scopes ?? []) required.add(scope);
  }
  return SCOPES.filter((scope) => required.has(scope));
}

/** The endpoints and methods of docs/api/authentication.md#oauth-20. */
function authorizationServer(publicUrl: string): object {
  const authMethods = ['client_secret_basic', 'none'];
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/i/oauth2/authorize`,
    token_endpoint: `${publicUrl}/2/oauth2/token`,
    revocation_endpoint: `${publicUrl}/2/oauth2/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256', 'plain'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
  };
}

function documentRoute(path: string, document: object): PlainRoute {
  return { method: 'GET', path, skipsDatabase: true, handler: () => new Answer(200, document) };
}
