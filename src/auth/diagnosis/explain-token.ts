import type { Clock } from '../../core/clock.js';
import type { Explanation } from '../../core/explanation.js';
import type { Queryable } from '../../database/engine.js';
import { hashToken } from '../../services/secrets/secrets.js';
import { findAppByApiKey, findAppByClientId } from '../../stores/apps.js';
import { findTokenTrace, type TokenTrace } from '../../stores/token-traces.js';
import { sinceWords } from './time-words.js';

interface Deps {
  readonly engine: Queryable;
  readonly clock: Clock;
}

const KINDS = {
  access: 'an OAuth 2.0 access token',
  app: 'an app’s own bearer token',
  refresh: 'an OAuth 2.0 refresh token',
  oauth1: 'an OAuth 1.0a access token',
} as const;

/** Explains why a bearer token was refused. */
export async function explainBearer({ engine, clock }: Deps, token: string): Promise<Explanation> {
  const trace = await traceOf(engine, token);
  const decoded = trace ? undefined : await traceOfDecoded(engine, token);
  if (decoded) return { step: 'access token', summary: ESCAPED, appId: decoded.appId };
  if (!trace) return { step: 'access token', summary: UNKNOWN_BEARER, hints: [OTHER_SERVER] };
  const { kind, appId } = trace;
  if (kind === 'refresh' || kind === 'oauth1') {
    const summary = `The request has ${KINDS[kind]} where a bearer token belongs.`;
    return { step: 'access token', summary, hints: [RIGHT_PLACE[kind]], appId };
  }
  return { step: 'access token', summary: endOf(trace, clock()), hints: [RENEW[kind]], appId };
}

const UNKNOWN_BEARER = 'This server has never issued the bearer token, or has forgotten it.';
const OTHER_SERVER =
  'Check that the token was issued by this server, that it is complete, and that nothing escaped it.';
const ESCAPED = 'The bearer token was percent-encoded or decoded once too often on its way here.';
const RIGHT_PLACE = {
  refresh: 'Exchange it at POST /2/oauth2/token with grant_type=refresh_token, and send the access token.',
  oauth1: 'Sign the request with OAuth 1.0a instead.',
} as const;
const RENEW = {
  access: 'Refresh it with the scope offline.access, or ask the user again.',
  app: 'Get the current one at POST /oauth2/token.',
} as const;

async function traceOfDecoded(engine: Queryable, token: string): Promise<TokenTrace | undefined> {
  for (const other of [encodeURIComponent(token), decoded(token)]) {
    const trace = other === token ? undefined : await traceOf(engine, other);
    if (trace) return trace;
  }
  return undefined;
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

const traceOf = (engine: Queryable, token: string) => findTokenTrace(engine, hashToken(token), token);

function endOf({ kind, revokedAtMs, expiresAtMs }: TokenTrace, nowMs: number): string {
  const token = `${KINDS[kind]}`;
  if (revokedAtMs !== undefined)
    return `The request has ${token} that was revoked at ${sinceWords(revokedAtMs, nowMs)}.`;
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) {
    return `The request has ${token} that expired at ${sinceWords(expiresAtMs, nowMs)}.`;
  }
  return `The request has ${token} whose user or app no longer exists.`;
}

/** Explains why consumer key or token of a signed request were refused. */
export async function explainSigningToken(
  { engine, clock }: Deps,
  { consumerKey, token }: { readonly consumerKey: string; readonly token?: string },
): Promise<Explanation> {
  const app = await findAppByApiKey(engine, consumerKey);
  if (!app) return explainConsumer(engine, consumerKey);
  const step = 'access token';
  if (token === undefined) return { step, summary: 'The signed request has no oauth_token.', appId: app.id };
  const trace = await traceOf(engine, token);
  const summary = tokenFault(trace, app.id === trace?.appId, clock());
  return { step, summary, appId: app.id };
}

function tokenFault(trace: TokenTrace | undefined, isOwn: boolean, nowMs: number): string {
  if (!trace) return 'This server has never issued the oauth_token, or has forgotten it.';
  if (trace.kind !== 'oauth1') return `The oauth_token is ${KINDS[trace.kind]}, not an OAuth 1.0a token.`;
  if (!isOwn) return 'The oauth_token belongs to another app than the oauth_consumer_key.';
  return endOf(trace, nowMs);
}

async function explainConsumer(engine: Queryable, consumerKey: string): Promise<Explanation> {
  const step = 'consumer key';
  const byClientId = await findAppByClientId(engine, consumerKey);
  if (!byClientId) {
    return {
      step,
      summary: 'No app of this server has the oauth_consumer_key. Perhaps its keys were regenerated.',
    };
  }
  const summary = 'The oauth_consumer_key is the client ID of the app. OAuth 1.0a needs its API key.';
  return {
    step,
    summary,
    compared: [{ what: 'Consumer key', client: consumerKey, server: byClientId.apiKey }],
    appId: byClientId.id,
  };
}
