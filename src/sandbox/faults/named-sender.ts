import type { Clock } from '../../core/clock.js';
import { PipitError } from '../../core/errors.js';
import type { AppId, UserId } from '../../core/ids.js';
import { readOAuthParameters } from '../../api/oauth/read-parameters.js';
import { readBasic } from '../../auth/basic.js';
import { OAuthError } from '../../auth/oauth2/oauth-error.js';
import { protocolParameters, readSent } from '../../auth/oauth1/protocol.js';
import type { Engine } from '../../database/engine.js';
import { isForm } from '../../http/request-parts.js';
import type { SentRequest } from '../../http/shell.js';
import type { MatchedRequest } from '../../journal/request-pattern.js';
import { hashToken } from '../../services/secrets/secrets.js';
import { findApp, findAppByApiKey, findAppByClientId, type App } from '../../stores/apps.js';
import { findAuthorizationCode } from '../../stores/authorization-codes.js';
import { findRequestToken } from '../../stores/request-tokens.js';
import { findRefreshToken } from '../../stores/token-families.js';
import { findBearerToken, findOAuth1Token } from '../../stores/tokens.js';

/** The app and the user that a request names. */
export type NamedSender = Pick<MatchedRequest, 'app' | 'userId'>;

interface Holder {
  readonly appId: AppId;
  readonly userId?: UserId;
}

/**
 * Returns the app and the user that the credentials of a request name (docs/sandbox.md#faults). For routes outside the
 * API, which authenticate after faults: nothing is verified.
 */
export async function namedSender(engine: Engine, clock: Clock, request: SentRequest): Promise<NamedSender> {
  const given = parametersOf(request);
  const holder = await holderOf(engine, clock, request, given);
  const app = (await clientOf(engine, request, given)) ?? (holder && (await findApp(engine, holder.appId)));
  return {
    ...(app && { app: { id: String(app.id), name: app.name } }),
    ...(holder?.userId !== undefined && { userId: String(holder.userId) }),
  };
}

type Given = ReadonlyMap<string, string>;

/** Returns the app and user of the token or code that a request carries. */
async function holderOf(
  engine: Engine,
  clock: Clock,
  { headers: { authorization = '' } }: SentRequest,
  given: Given,
): Promise<Holder | undefined> {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  for (const token of [bearer, given.get('refresh_token'), given.get('token'), given.get('access_token')]) {
    if (token === undefined) continue;
    const hash = hashToken(token);
    const access = await findBearerToken(engine, hash);
    if (access) return { appId: access.app.id, userId: access.user?.id };
    const refresh = await findRefreshToken(engine, hash);
    if (refresh) return refresh;
  }
  const code = given.get('code');
  const found = code === undefined ? undefined : await findAuthorizationCode(engine, hashToken(code));
  return found ?? holderOfOAuth1(engine, clock, given);
}

async function holderOfOAuth1(engine: Engine, clock: Clock, given: Given): Promise<Holder | undefined> {
  const token = given.get('oauth_token');
  if (token === undefined) return undefined;
  const access = await findOAuth1Token(engine, token, given.get('oauth_consumer_key') ?? '');
  if (access) return { appId: access.app.id, userId: access.user.id };
  return findRequestToken(engine, token, clock());
}

/** Returns the app whose client ID or API key a request names. */
async function clientOf(engine: Engine, { headers }: SentRequest, given: Given): Promise<App | undefined> {
  const names = [
    ...(readBasic(headers.authorization) ?? []).map(({ name }) => name),
    given.get('client_id'),
    given.get('oauth_consumer_key'),
  ];
  for (const name of names) {
    if (name === undefined) continue;
    const app = (await findAppByClientId(engine, name)) ?? (await findAppByApiKey(engine, name));
    if (app) return app;
  }
  return undefined;
}

/** Returns the parameters of query, body and OAuth header; none if they are malformed. */
function parametersOf(request: SentRequest): Given {
  const formBody = isForm(request.headers['content-type']) ? request.body.toString() : undefined;
  return new Map([
    ...readable(() => readOAuthParameters(request)),
    ...readable(() => protocolParameters(readSent({ ...request, formBody }))),
  ]);
}

function readable(read: () => Given): Given {
  try {
    return read();
  } catch (error) {
    if (error instanceof OAuthError || error instanceof PipitError) return new Map();
    throw error;
  }
}
