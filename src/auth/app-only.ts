import { equalsInConstantTime, hashToken } from '../services/secrets/secrets.js';
import { sealOwner, type Vault } from '../services/secrets/vault.js';
import { findApp, findAppByApiKey, findAppSecrets, type App } from '../stores/apps.js';
import { findTokenHolder } from '../stores/token-families.js';
import type { AuthRequest } from './auth-request.js';
import type { Authenticator } from './authenticate.js';
import { readBasic } from './basic.js';
import { decodePercent } from './oauth1/percent.js';
import { isSigned } from './oauth1/protocol.js';
import { codedRefusal } from './oauth1/refusal.js';
import type { AccountDeps } from '../services/accounts/account-deps.js';

interface AppOnlyDeps extends Pick<AccountDeps, 'engine' | 'clock' | 'apps' | 'tokens'> {
  readonly vault: Vault;
  readonly authenticator: Authenticator;
}

export type AppOnly = ReturnType<typeof createAppOnly>;

/** Creates the service of apps' own bearer tokens (docs/api/authentication.md#app-only-bearer-token). */
export function createAppOnly(deps: AppOnlyDeps) {
  return {
    /** Returns the app's token, which stays the same until it is revoked. Throws CodedRefusal 99 for any fault. */
    issue: async (authorization: string | undefined, grantType: string | undefined) => {
      const app = await findBasicApp(deps, authorization);
      const token = grantType === 'client_credentials' && app && (await issueBearer(deps, app));
      if (!token) throw codedRefusal.credentials();
      return token;
    },
    /**
     * Revokes a token of the app and returns it. The request is authenticated by the app's key and secret or by its
     * owner's OAuth 1.0a token. Throws CodedRefusal for other credentials and for a token that is not an active token
     * of the app.
     */
    invalidate: async (request: AuthRequest, token: string | undefined) => {
      const app = isSigned(request)
        ? await findOwnedApp(deps, request)
        : await findBasicApp(deps, request.headers.authorization);
      if (!app) throw codedRefusal.credentials();
      if (!token) throw codedRefusal.missing('access_token');
      return invalidate(deps, app, token);
    },
  };
}

/**
 * Returns the app's token, or undefined if its keys were replaced after they were checked: a holder of the old keys
 * must not get the new token.
 */
function issueBearer({ engine, apps }: AppOnlyDeps, { id, apiKey }: App): Promise<string | undefined> {
  return engine.tx('issue app bearer', async (tx) =>
    (await findApp(tx, id))?.apiKey === apiKey ? apps.issueBearer(id, tx) : undefined,
  );
}

async function findBasicApp(
  { engine, vault }: AppOnlyDeps,
  authorization: string | undefined,
): Promise<App | undefined> {
  for (const { name, secret } of readBasic(authorization) ?? []) {
    const app = await findAppByApiKey(engine, name);
    const secrets = app && (await findAppSecrets(engine, app.id));
    if (!secrets) continue;
    const expected = vault.open(secrets.apiSecretSealed, sealOwner.app(app.id));
    if (equalsInConstantTime(secret, expected)) return app;
  }
  return undefined;
}

async function findOwnedApp(deps: AppOnlyDeps, request: AuthRequest): Promise<App | undefined> {
  const principal = await deps.authenticator.authenticate(request);
  const app = await findApp(deps.engine, principal.app.id);
  const isOwner = principal.context !== 'app' && principal.userId === app?.ownerId;
  if (!isOwner) throw codedRefusal.access();
  return app;
}

/** Revokes a token, which may be sent with its percent escapes encoded again or not. */
async function invalidate({ engine, clock, tokens }: AppOnlyDeps, app: App, sent: string): Promise<string> {
  for (const token of new Set([sent, decodePercent(sent) ?? sent])) {
    const isRevoked = await engine.tx('invalidate app token', async (tx) => {
      const holder = await findTokenHolder(tx, hashToken(token), clock());
      return holder?.appId === app.id && holder.isAppOwn && tokens.revoke(token, tx);
    });
    if (isRevoked) return token;
  }
  throw codedRefusal.token();
}
