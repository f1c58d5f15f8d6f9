import { hash } from 'node:crypto';
import type { Explanation } from '../../core/explanation.js';
import { nearest } from '../../core/nearest.js';
import type { App } from '../../stores/apps.js';
import type { AuthorizationCode } from '../../stores/authorization-codes.js';
import { sinceWords } from './time-words.js';

type Told = Omit<Explanation, 'step'>;

const code = (told: Told): Explanation => ({ step: 'authorization code', ...told });
const refresh = (told: Told): Explanation => ({ step: 'refresh token', ...told });
const client = (told: Told): Explanation => ({ step: 'client authentication', ...told });

/** The reasons why the endpoints of OAuth 2.0 refuse a request, by step. */
export const grantExplanations = {
  unknownClient: (clientId: string): Explanation =>
    client({
      summary: `No app of this server has the client ID ${shown(clientId)}.`,
      hints: ['The client ID is not the API key, and differs between servers.'],
    }),
  noBasic: (app: Pick<App, 'id'>): Explanation =>
    client({
      summary: 'The app is a confidential client, but the request has no Authorization header.',
      hints: ['Send Authorization: Basic base64(client_id:client_secret).'],
      appId: app.id,
    }),
  otherScheme: (): Explanation =>
    client({
      summary: 'The Authorization header is not valid Basic.',
      hints: [
        'Send Authorization: Basic base64(client_id:client_secret), or none if the app is a public client.',
      ],
    }),
  wrongSecret: (app: Pick<App, 'id' | 'confidential'>): Explanation =>
    client({
      summary: app.confidential
        ? 'The client secret in the Basic header is wrong.'
        : 'The app is a public client, which has no secret, but the request has one.',
      hints: app.confidential ? ['Perhaps it was regenerated, or is the API secret of OAuth 1.0a.'] : [],
      appId: app.id,
    }),
  otherClient: (app: Pick<App, 'id' | 'clientId'>, named: string): Explanation =>
    client({
      summary: 'The parameter client_id names another client than the Basic header.',
      compared: [{ what: 'Client ID', client: named, server: app.clientId }],
      appId: app.id,
    }),
  unknownCode: (app: Pick<App, 'id'>): Explanation =>
    code({ summary: 'This server did not issue the code, or has forgotten it.', appId: app.id }),
  otherAppsCode: (app: Pick<App, 'id'>): Explanation =>
    code({ summary: 'The code was issued to another app.', appId: app.id }),
  usedCode: ({ appId, redeemedAtMs }: AuthorizationCode, nowMs: number): Explanation =>
    code({
      summary: `The code was redeemed at ${sinceWords(redeemedAtMs ?? nowMs, nowMs)}. All tokens issued for it are now revoked.`,
      hints: ['A code works once. Check that the client does not send the request twice.'],
      appId,
    }),
  expiredCode: ({ appId, expiresAtMs, createdAtMs }: AuthorizationCode, nowMs: number): Explanation =>
    code({
      summary: `The code expired at ${sinceWords(expiresAtMs, nowMs)}. It lived ${(expiresAtMs - createdAtMs) / 1_000} seconds.`,
      appId,
    }),
  otherRedirectUri: ({ appId, redirectUri }: AuthorizationCode, sent: string): Explanation => ({
    step: 'redirect URI',
    summary: 'The redirect_uri differs from that of the authorization request.',
    compared: [{ what: 'Redirect URI', client: sent, server: redirectUri }],
    appId,
  }),
  unregisteredRedirectUri: (
    { id, redirectUris }: Pick<App, 'id' | 'redirectUris'>,
    sent: string,
  ): Explanation => ({
    step: 'redirect URI',
    summary:
      'The app has not registered the redirect_uri. It must equal a registered one, character by character.',
    compared: [
      {
        what: 'Redirect URI',
        client: sent,
        server: nearest(sent, redirectUris) ?? redirectUris[0] ?? '',
      },
    ],
    appId: id,
  }),
  wrongVerifier: (stored: AuthorizationCode, verifier: string): Explanation =>
    explainVerifier(stored, verifier),
  noUser: (app: Pick<App, 'id'>): Explanation => ({
    step: 'user',
    summary: 'The user has been suspended or deleted since the consent.',
    appId: app.id,
  }),
  unknownRefresh: (app: Pick<App, 'id'>): Explanation =>
    refresh({
      summary: 'This server did not issue the token as a refresh token, or has forgotten it.',
      hints: ['Check that it is not an access token.'],
      appId: app.id,
    }),
  otherAppsRefresh: (app: Pick<App, 'id'>): Explanation =>
    refresh({ summary: 'The refresh token belongs to another app.', appId: app.id }),
  usedRefresh: (app: Pick<App, 'id'>, revokedAtMs: number, nowMs: number): Explanation =>
    refresh({
      summary: `The refresh token was used or revoked at ${sinceWords(revokedAtMs, nowMs)}. All tokens of its consent are now revoked.`,
      hints: ['A refresh token works once. Store the new one of each answer.'],
      appId: app.id,
    }),
  idleRefresh: (app: Pick<App, 'id'>, expiredAtMs: number, nowMs: number): Explanation =>
    refresh({
      summary: `The refresh token expired unused at ${sinceWords(expiredAtMs, nowMs)}.`,
      appId: app.id,
    }),
  noActiveToken: (app: Pick<App, 'id'>): Explanation => ({
    step: 'access token',
    summary: 'The token is not an active token of a user of this app.',
    appId: app.id,
  }),
} as const;

/** Compares the challenge of the authorization request with those that a verifier gives (RFC 7636 4.6). */
function explainVerifier(
  { appId, codeChallenge, challengeMethod }: AuthorizationCode,
  verifier: string,
): Explanation {
  const digest = hash('sha256', verifier, 'base64url');
  const isS256 = challengeMethod === 'S256';
  return {
    step: 'code verifier',
    summary: verifierMistake(codeChallenge, isS256, verifier, digest),
    compared: [
      {
        what: isS256
          ? 'BASE64URL(SHA256(code_verifier))'
          : 'SHA256 of the code_verifier (the texts are compared as they are)',
        client: digest,
        server: isS256 ? codeChallenge : hash('sha256', codeChallenge, 'base64url'),
      },
    ],
    appId,
  };
}

function verifierMistake(challenge: string, isS256: boolean, verifier: string, digest: string): string {
  if (isS256 && verifier === challenge) {
    return 'The client sent the code_challenge as the code_verifier, or asked for S256 and sent the plain text.';
  }
  if (!isS256 && digest === challenge) {
    return 'The code_challenge is the S256 hash of the code_verifier, but the authorization request did not say code_challenge_method=S256.';
  }
  if (isS256 && OTHER_HASHES.some((other) => other(verifier) === challenge)) {
    return 'The code_challenge is a hash of the code_verifier in another encoding: S256 is base64url without = of the bytes.';
  }
  return 'The code_verifier is not that of the authorization request. Perhaps another attempt to sign in has replaced it.';
}

const OTHER_HASHES: readonly ((verifier: string) => string)[] = [
  (verifier) => hash('sha256', verifier, 'hex'),
  (verifier) => hash('sha256', verifier, 'base64'),
  (verifier) => hash('sha256', verifier, 'base64').replaceAll('=', ''),
  (verifier) => Buffer.from(hash('sha256', verifier, 'hex')).toString('base64url'),
];

const MAX_SHOWN = 60;

function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
