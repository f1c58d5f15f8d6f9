import type { AuthRequest } from '../auth-request.js';
import { parseForm, type Pair } from './form.js';
import { OAuth1Refused, type OAuth1Part } from './oauth1-refused.js';
import { isOAuth1Header, parseOAuth1Header } from './parse-header.js';

/** How far a timestamp may be from our clock, either way (reference/auth.md 2.1). */
export const TIMESTAMP_SKEW_SECONDS = 300;

const MAX_NONCE_LENGTH = 256;
const TIMESTAMP = /^[1-9][0-9]{0,11}$/;

/** The protocol parameters of a signed request, present and well formed; nothing about them is proven yet. */
export interface Protocol {
  readonly consumerKey: string;
  /** Absent when the client signs for itself alone (asking for a request token). */
  readonly token?: string;
  readonly signature: string;
  readonly timestampSeconds: number;
  readonly nonce: string;
  /** All parameters of the OAuth header; empty when query or body carried them, where they are signed as they stand. */
  readonly headerPairs: readonly Pair[];
  /** By name, wherever they were sent: for `oauth_callback` and `oauth_verifier`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** True when a request is signed by OAuth 1.0a in its header, its query or its form body (RFC 5849 3.5). */
export function isSigned(request: AuthRequest): boolean {
  const header = request.headers.authorization;
  return header === undefined ? sourceWithoutHeader(request) !== undefined : isOAuth1Header(header);
}

/** The query string of a request target as sent, without the question mark. */
export function rawQuery(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/**
 * Reads the protocol parameters from the one place that carries them (RFC 5849 3.1, 3.5).
 * Throws the 401 when one is missing, empty, doubled or not what we accept: HMAC-SHA1 only, version 1.0 or none.
 */
export function readProtocol(request: AuthRequest): Protocol {
  const header = request.headers.authorization;
  const parameters =
    header === undefined ? oauthParameters(sourceWithoutHeader(request) ?? '') : parseOAuth1Header(header);
  requireAccepted(parameters);
  return {
    consumerKey: required(parameters, 'oauth_consumer_key', 'consumer'),
    token: parameters.get('oauth_token') || undefined,
    signature: required(parameters, 'oauth_signature', 'signature'),
    timestampSeconds: readTimestamp(required(parameters, 'oauth_timestamp', 'timestamp')),
    nonce: readNonce(required(parameters, 'oauth_nonce', 'nonce')),
    headerPairs: header === undefined ? [] : [...parameters],
    parameters,
  };
}

function sourceWithoutHeader(request: AuthRequest): string | undefined {
  const query = rawQuery(request.url);
  if (query.includes('oauth_signature=')) return query;
  return request.formBody?.includes('oauth_signature=') ? request.formBody : undefined;
}

function oauthParameters(source: string): ReadonlyMap<string, string> {
  return new Map(parseForm(source).filter(([name]) => name.startsWith('oauth_')));
}

function requireAccepted(parameters: ReadonlyMap<string, string>): void {
  for (const value of parameters.values()) {
    // Not every database can be asked for one.
    if (value.includes('\0')) throw new OAuth1Refused('parameters', 'an OAuth parameter has a NUL character');
  }
  if (parameters.get('oauth_signature_method') !== 'HMAC-SHA1') {
    throw new OAuth1Refused('parameters', 'the OAuth signature method is not HMAC-SHA1');
  }
  if ((parameters.get('oauth_version') ?? '1.0') !== '1.0')
    throw new OAuth1Refused('parameters', 'the OAuth version is not 1.0');
}

function required(parameters: ReadonlyMap<string, string>, name: string, part: OAuth1Part): string {
  const value = parameters.get(name);
  if (!value) throw new OAuth1Refused(part, `the OAuth parameter ${name} is missing`);
  return value;
}

function readTimestamp(text: string): number {
  if (!TIMESTAMP.test(text))
    throw new OAuth1Refused('timestamp', 'the OAuth timestamp is no positive integer');
  return Number(text);
}

function readNonce(text: string): string {
  if (text.length > MAX_NONCE_LENGTH) throw new OAuth1Refused('nonce', 'the OAuth nonce is too long');
  return text;
}
