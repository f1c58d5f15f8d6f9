import { jsonBody } from '../../api/body/body.js';
import { SCOPES, type Scope } from '../../core/access.js';
import { invalidRequest } from '../../core/errors.js';
import {
  fullObject,
  id,
  listOf,
  object as objectOf,
  oneOf as oneOfThese,
  schemaOf,
  text as textOf,
} from '../../core/json-schema.js';
import type { User } from '../../core/user.js';
import { list, object, oneOf, text } from '../../core/validators.js';
import type { Backend } from '../../server/backend.js';
import { derivedCredentials } from '../../services/apps/app-credentials.js';
import { hashToken } from '../../services/secrets/secrets.js';
import { sealOwner } from '../../services/secrets/vault.js';
import { findAppSecrets, type App } from '../../stores/apps.js';
import { findUserByUsername } from '../../stores/users.js';
import { requireFirstApp } from '../first-app.js';
import { appField, requireApp } from '../known-apps.js';
import { requireFirstUser } from '../known-users.js';
import { operation } from '../operation.js';

const KINDS = ['oauth2', 'oauth1', 'app'] as const;

const tokenFields = objectOf(
  {
    kind: oneOfThese(...KINDS),
    app: fullObject({ id, name: textOf, client_id: textOf }),
    user: fullObject({ id, username: textOf }),
    access_token: textOf,
    refresh_token: textOf,
    scopes: listOf(textOf),
    expires_in: schemaOf('integer', { minimum: 0 }),
    access_token_secret: textOf,
    api_key: textOf,
    api_secret: textOf,
    client_secret: textOf,
  },
  ['kind', 'app', 'access_token'],
);

const createToken = operation({
  operationId: 'createSandboxToken',
  tag: 'Tokens',
  summary: 'Issue credentials of a user or an app',
  method: 'POST',
  path: '/tokens',
  command: 'token',
  success: 201,
  body: jsonBody(
    object({
      username: text({
        min: 1,
        max: 50,
        description: 'The user; by default the first one. Not for kind app.',
      }),
      app: appField,
      kind: oneOf(
        KINDS,
        'The kind of credentials: oauth2 (default) and oauth1 of a user, app of the app itself.',
      ),
      scopes: list(oneOf(SCOPES), { min: 1, max: SCOPES.length, description: 'For oauth2; by default all.' }),
    }),
  ),
  response: objectOf({ data: tokenFields }, ['data']),
  handler: async ({ server }, { body: { username, app: appText, kind = 'oauth2', scopes } }) => {
    const { backend } = server.pipit;
    if (kind !== 'oauth2' && scopes) {
      throw invalidRequest('scopes', [scopes.join()], 'Only tokens of kind oauth2 have scopes');
    }
    if (kind === 'app' && username !== undefined) {
      throw invalidRequest('username', [username], 'A token of kind app belongs to no user');
    }
    const app = await (appText === undefined ? requireFirstApp(backend) : requireApp(backend, appText));
    const head = { kind, app: { id: String(app.id), name: app.name, client_id: app.clientId } };
    if (kind === 'app') {
      const secrets = await secretsOf(backend, app);
      return { data: { ...head, access_token: await backend.apps.issueBearer(app.id), ...secrets } };
    }
    const user = await requireUser(backend, username);
    const of = { ...head, user: { id: String(user.id), username: user.username } };
    const issued = await (kind === 'oauth1'
      ? issueOAuth1(backend, app, user)
      : issueOAuth2(backend, app, user, scopes ?? SCOPES));
    return { data: { ...of, ...issued } };
  },
});

export const tokenOperations = [createToken];

async function issueOAuth1(backend: Backend, app: App, { id: userId }: User) {
  const issued = await backend.tokens.issueOAuth1({ appId: app.id, userId });
  const { api_key, api_secret } = await secretsOf(backend, app);
  return {
    access_token: issued.accessToken,
    access_token_secret: issued.accessTokenSecret,
    api_key,
    api_secret,
  };
}

/** Returns the secrets of an app. Its client secret is known here only if it was derived. */
async function secretsOf({ engine, vault }: Backend, { id, apiKey }: App) {
  const secrets = await findAppSecrets(engine, id);
  const derived = derivedCredentials(vault, id).clientSecret();
  return {
    api_key: apiKey,
    api_secret: vault.open(secrets?.apiSecretSealed ?? '', sealOwner.app(id)),
    client_secret: secrets?.clientSecretHash === hashToken(derived) ? derived : undefined,
  };
}

async function issueOAuth2({ tokens }: Backend, app: App, user: User, scopes: readonly Scope[]) {
  const issued = await tokens.issueOAuth2({ appId: app.id, userId: user.id, scopes });
  return {
    access_token: issued.accessToken,
    refresh_token: issued.refreshToken,
    scopes,
    expires_in: issued.expiresInSeconds,
  };
}

async function requireUser(backend: Backend, asked: string | undefined): Promise<User> {
  if (asked === undefined) return requireFirstUser(backend);
  const found = await findUserByUsername(backend.engine, asked.replace(/^@/, ''));
  if (found) return found;
  throw invalidRequest('username', [asked], 'There is no such user');
}
