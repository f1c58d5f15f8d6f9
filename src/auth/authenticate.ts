import { narrowerPermission, type Principal } from '../core/access.js';
import type { Clock } from '../core/clock.js';
import { forbidden, PipitError, type UnauthorizedReason } from '../core/errors.js';
import { hashToken } from '../services/secrets/secrets.js';
import { sealOwner, type Vault } from '../services/secrets/vault.js';
import { findAppByApiKey } from '../stores/apps.js';
import type { Engine } from '../database/engine.js';
import { createCache, type CacheName } from '../database/caches.js';
import type { RowCache } from '../database/row-cache.js';
import type { KeyedChange } from '../database/watchers.js';
import {
  BEARER_TOKEN_TABLES,
  findBearerToken,
  findOAuth1Token,
  OAUTH1_TOKEN_TABLES,
  type BearerToken,
  type OAuth1Token,
  type TokenUser,
} from '../stores/tokens.js';
import { countHeader, type AuthRequest } from './auth-request.js';
import { explained } from '../core/explanation.js';
import { explainBearer, explainSigningToken } from './diagnosis/explain-token.js';
import { OAuth1Refused } from './oauth1/refusal.js';
import { isSigned } from './oauth1/protocol.js';
import type { OAuth1Verifier } from './oauth1/verify.js';

export type { AuthRequest } from './auth-request.js';

export interface AuthenticatorDeps {
  /** Asked for changes on every request: revocations take effect with their commit. */
  readonly engine: Engine;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly oauth1: OAuth1Verifier;
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

const BEARER = /^Bearer +([!-~]+)$/i;

/** The memory of a token with its app and user. */
const bytesOfToken = (): number => 800;

/** An OAuth 1.0a token with decrypted secrets; decryption is its most expensive part. */
interface SigningToken extends OAuth1Token {
  readonly consumerKey: string;
  readonly secrets: { readonly consumerSecret: string; readonly tokenSecret: string };
}

export function createAuthenticator(deps: AuthenticatorDeps) {
  const rules = { bytesOf: bytesOfToken, take: dropTokens, hasTextKeys: true };
  const cached = <T extends BearerToken | SigningToken>(name: CacheName, tables: readonly string[]) =>
    createCache<string, T>(deps.engine, name, { ...rules, tables });
  const bearerTokens = cached<BearerToken>('bearerTokens', BEARER_TOKEN_TABLES);
  const signingTokens = cached<SigningToken>('signingTokens', OAUTH1_TOKEN_TABLES);
  return {
    /**
     * Returns the sender of a request (docs/api/authentication.md#credentials). Throws `unauthorized` for missing,
     * duplicate, unknown, expired or revoked credentials and those of deleted apps and users, and
     * `forbidden` for a suspended user (docs/api/errors.md#v11-errors, code 64).
     */
    authenticate: async (request: AuthRequest): Promise<Principal> => {
      requireSingleAuthorization(request.rawHeaders);
      const bearer = BEARER.exec(request.headers.authorization ?? '')?.[1];
      if (bearer !== undefined) return authenticateBearer(deps, bearerTokens, bearer);
      if (isSigned(request)) return authenticateSigned(deps, signingTokens, request);
      throw unauthorized('the request has no supported credentials');
    },
  };
}

/** Drops the tokens of changed users or apps. The tables of tokens have the user as their key (cached-tables.ts). */
function dropTokens<T extends BearerToken | SigningToken>(
  { table, keys }: KeyedChange,
  tokens: RowCache<string, T>,
): boolean {
  const changed = new Set<bigint | undefined>(keys);
  tokens.dropWhere(({ app, user }) => changed.has(table === 'apps' ? app.id : user?.id));
  return true;
}

async function authenticateBearer(
  { engine, clock }: AuthenticatorDeps,
  tokens: RowCache<string, BearerToken>,
  token: string,
): Promise<Principal> {
  const found = await tokens.read(token, () => findBearerToken(engine, hashToken(token)));
  if (!found || clock() >= (found.expiresAtMs ?? Infinity)) {
    throw explained(unauthorized('the bearer token is unknown, expired or revoked', 'invalid-token'), () =>
      explainBearer({ engine, clock }, token),
    );
  }
  const { app, user } = found;
  if (!user) return { context: 'app', app };
  requireActive(user);
  const permission = narrowerPermission(user.permission, app.permissions);
  return { context: 'oauth2', app, userId: user.id, permission, scopes: user.scopes };
}

async function authenticateSigned(
  deps: AuthenticatorDeps,
  tokens: RowCache<string, SigningToken>,
  request: AuthRequest,
): Promise<Principal> {
  const protocol = deps.oauth1.read(request);
  const { consumerKey, token } = protocol;
  if (token === undefined) {
    throw explained(new OAuth1Refused('token', 'the OAuth token is missing'), () =>
      explainSigningToken(deps, protocol),
    );
  }
  const found = await tokens.read(token, () => findSigningToken(deps, token, consumerKey));
  if (found?.consumerKey !== consumerKey) {
    throw explained(await unknownToken(deps, consumerKey), () => explainSigningToken(deps, protocol));
  }
  const { app, user, permission, secrets } = found;
  deps.oauth1.verify(request, protocol, secrets);
  requireActive(user);
  return {
    context: 'oauth1',
    app,
    userId: user.id,
    permission: narrowerPermission(permission, app.permissions),
  };
}

/** Returns an error that says which credential is unknown, for the log; the client receives the same for both. */
async function unknownToken({ engine }: AuthenticatorDeps, consumerKey: string): Promise<OAuth1Refused> {
  const app = await findAppByApiKey(engine, consumerKey);
  const [part, message] = app
    ? (['token', 'the OAuth token is unknown or revoked, or belongs to another app'] as const)
    : (['consumer', 'the OAuth consumer key is unknown'] as const);
  return new OAuth1Refused(part, message, { reason: 'invalid-token' });
}

async function findSigningToken(
  { engine, vault }: AuthenticatorDeps,
  token: string,
  consumerKey: string,
): Promise<SigningToken | undefined> {
  const found = await findOAuth1Token(engine, token, consumerKey);
  return (
    found && {
      ...found,
      consumerKey,
      secrets: {
        consumerSecret: vault.open(found.apiSecretSealed, sealOwner.app(found.app.id)),
        tokenSecret: vault.open(found.secretSealed, sealOwner.oauth1Token(token)),
      },
    }
  );
}

function requireActive(user: TokenUser): void {
  if (user.suspended) {
    throw forbidden('Your account is suspended and is not permitted to access this feature.');
  }
}

/**
 * Refuses several Authorization headers, of which `headers` keeps the first: the effective one would be ambiguous.
 */
function requireSingleAuthorization(rawHeaders: readonly string[] = []): void {
  if (countHeader(rawHeaders, 'authorization') > 1)
    throw unauthorized('there is more than one Authorization header');
}

/**
 * Creates a 401 (docs/api/errors.md#problems). The client learns only that its credentials are invalid;
 * `message` gives the reason for the log and contains no credentials. `reason` is for the v1.1 codes.
 */
function unauthorized(message: string, reason?: UnauthorizedReason): PipitError {
  return new PipitError({ code: 'unauthorized', reason }, { message });
}
