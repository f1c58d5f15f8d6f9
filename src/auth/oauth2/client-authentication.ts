import { hashToken } from '../../services/secrets/secrets.js';
import { findAppByClientId, findAppSecrets, type App } from '../../stores/apps.js';
import type { Queryable } from '../../database/engine.js';
import { readBasic } from '../basic.js';
import { equalsInConstantTime } from '../oauth1/signature.js';
import { OAuthError, refusal } from './oauth-error.js';
import { required, type OAuthParameters } from './parameters.js';

/**
 * Returns the authenticated app (RFC 6749 2.3, docs/api/authentication.md#client-types). A confidential client sends
 * its secret in a Basic header; a public client has none and sends its `client_id`. Throws
 * `invalid_client` for an unknown client and `unauthorized_client` for a missing or wrong secret, both with 401.
 */
export async function authenticateClient(
  db: Queryable,
  authorization: string | undefined,
  parameters: OAuthParameters,
): Promise<App> {
  const basic = readBasic(authorization);
  if (authorization !== undefined && !basic) throw refusal.missingSecret();
  const named = parameters.get('client_id');
  if (!basic) return requirePublic(await requireClient(db, [required(parameters, 'client_id')]));
  const app = await requireClient(
    db,
    basic.map(({ name }) => name),
  );
  if (named !== undefined && named !== app.clientId) {
    throw new OAuthError(
      'invalid_request',
      'The parameter [client_id] names another client than the header.',
    );
  }
  const secretHash = (await findAppSecrets(db, app.id))?.clientSecretHash;
  if (!basic.some(({ secret }) => isSecret(secret, secretHash))) throw refusal.missingSecret();
  return app;
}

function requirePublic(app: App): App {
  if (app.confidential) throw refusal.missingSecret();
  return app;
}

async function requireClient(db: Queryable, spellings: readonly string[]): Promise<App> {
  for (const clientId of spellings) {
    const app = await findAppByClientId(db, clientId);
    if (app) return app;
  }
  throw refusal.unknownClient();
}

/** Checks a secret. A public client that sends a header nevertheless has an empty secret. */
function isSecret(given: string, secretHash: string | undefined): boolean {
  return secretHash === undefined ? given === '' : equalsInConstantTime(hashToken(given), secretHash);
}
