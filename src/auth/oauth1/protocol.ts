import type { AuthRequest } from '../auth-request.js';
import { parseForm, type Pair } from './form.js';
import { OAuth1Refused, type OAuth1Part } from './refusal.js';
import { isOAuth1Header, parseOAuth1Header } from './parse-header.js';

const MAX_NONCE_LENGTH = 256;
const TIMESTAMP = /^[1-9][0-9]{0,11}$/;

/** The protocol parameters of a signed request: complete and well-formed, but not verified. */
export interface Protocol {
  readonly consumerKey: string;
  /** Absent if the client signs without a user, to request a request token. */
  readonly token?: string;
  readonly signature: string;
  readonly timestampSeconds: number;
  readonly nonce: string;
  /** All decoded parameters of header, query and form, in order; protocol parameters may be repeated. */
  readonly sent: readonly Pair[];
}

/** Reports whether a request is signed with OAuth 1.0a in its header, query or form body (RFC 5849 3.5). */
export function isSigned(request: AuthRequest): boolean {
  const header = request.headers.authorization;
  return header === undefined ? isSignedOutsideHeader(request) : isOAuth1Header(header);
}

/** Returns the query string of a request target as sent, without the question mark. */
function rawQuery(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/**
 * Reads the protocol parameters of a signed request from header, query or form body (RFC 5849 3.5). Throws a 401 if
 * one is missing, empty, sent with two values or unsupported: only HMAC-SHA1 and version 1.0 are supported.
 */
export function readProtocol(request: AuthRequest): Protocol {
  const sent = readSent(request);
  const parameters = protocolParameters(sent);
  requireAccepted(parameters);
  return {
    consumerKey: required(parameters, 'oauth_consumer_key', 'consumer'),
    token: parameters.get('oauth_token') || undefined,
    signature: required(parameters, 'oauth_signature', 'signature'),
    timestampSeconds: readTimestamp(required(parameters, 'oauth_timestamp', 'timestamp')),
    nonce: readNonce(required(parameters, 'oauth_nonce', 'nonce')),
    sent,
  };
}

/** Returns all decoded parameters of an OAuth header, the query and a form body. Throws a 401 for invalid ones. */
export function readSent(request: AuthRequest): Pair[] {
  const { authorization } = request.headers;
  const isOAuth1 = authorization !== undefined && isOAuth1Header(authorization);
  return [
    ...(isOAuth1 ? parseOAuth1Header(authorization) : []),
    ...parseForm(rawQuery(request.url)),
    ...parseForm(request.formBody ?? ''),
  ];
}

/**
 * Returns the protocol parameters by name. Several clients send one in two places with the same value, which counts
 * once. Throws a 401 for two different values, or for NUL, which not every database accepts in a query.
 */
export function protocolParameters(sent: readonly Pair[]): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of sent) {
    if (!isProtocolParameter(name)) continue;
    if ((parameters.get(name) ?? value) !== value) {
      throw new OAuth1Refused('parameters', 'an OAuth parameter has two values');
    }
    if (value.includes('\0')) {
      throw new OAuth1Refused('parameters', 'an OAuth parameter has a NUL character');
    }
    parameters.set(name, value);
  }
  return parameters;
}

/** Reports whether a parameter belongs to OAuth 1.0a. */
export function isProtocolParameter(name: string): boolean {
  return name.startsWith('oauth_');
}

function isSignedOutsideHeader({ url, formBody }: AuthRequest): boolean {
  return rawQuery(url).includes('oauth_signature=') || formBody?.includes('oauth_signature=') === true;
}

/** The version is optional; some clients send that of the revision. */
const VERSION = /^1\.0a?$/i;

function requireAccepted(parameters: ReadonlyMap<string, string>): void {
  if (parameters.get('oauth_signature_method') !== 'HMAC-SHA1') {
    throw new OAuth1Refused('parameters', 'the OAuth signature method is not HMAC-SHA1');
  }
  if (!VERSION.test(parameters.get('oauth_version') ?? '1.0')) {
    throw new OAuth1Refused('parameters', 'the OAuth version is not 1.0');
  }
}

function required(parameters: ReadonlyMap<string, string>, name: string, part: OAuth1Part): string {
  const value = parameters.get(name);
  if (!value) throw new OAuth1Refused(part, `the OAuth parameter ${name} is missing`);
  return value;
}

function readTimestamp(text: string): number {
  if (!TIMESTAMP.test(text))
    throw new OAuth1Refused('timestamp', 'the OAuth timestamp is not a positive integer');
  return Number(text);
}

function readNonce(text: string): string {
  if (text.length > MAX_NONCE_LENGTH) throw new OAuth1Refused('nonce', 'the OAuth nonce is too long');
  return text;
}
