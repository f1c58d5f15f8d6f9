import { explained } from '../../core/explanation.js';
import { explainMalformedTimestamp } from '../diagnosis/explain-times.js';
import { type AuthRequest, queryOf } from '../auth-request.js';
import { OAuth1Refused, type OAuth1Part } from './refusal.js';
import { decodePercent } from './percent.js';

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
    ...parseForm(queryOf(request.url)),
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
  return queryOf(url).includes('oauth_signature=') || formBody?.includes('oauth_signature=') === true;
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
  if (!TIMESTAMP.test(text)) {
    throw explained(new OAuth1Refused('timestamp', 'the OAuth timestamp is not a positive integer'), () =>
      explainMalformedTimestamp(text),
    );
  }
  return Number(text);
}

function readNonce(text: string): string {
  if (text.length > MAX_NONCE_LENGTH) throw new OAuth1Refused('nonce', 'the OAuth nonce is too long');
  return text;
}

/** A parameter's decoded name and value. */
export type Pair = readonly [name: string, value: string];

/** More than any endpoint needs; bounds the work of unauthenticated requests. */
const MAX_PAIRS = 1000;

/**
 * Splits a raw query string or form body into decoded pairs, in order (RFC 5849 3.4.1.3.1). Throws a 401 for broken
 * escapes, invalid UTF-8, and more than 1,000 pairs.
 */
export function parseForm(text: string): Pair[] {
  if (text === '') return [];
  const parts = text.split('&', MAX_PAIRS + 1);
  if (parts.length > MAX_PAIRS)
    throw new OAuth1Refused('parameters', 'the request has too many parameters to sign');
  return parts.filter((part) => part !== '').map(parsePair);
}

function parsePair(part: string): Pair {
  const equals = part.indexOf('=');
  return equals < 0 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
}

function decode(text: string): string {
  const value = decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text);
  if (value === undefined) throw new OAuth1Refused('parameters', 'a signed parameter has a broken escape');
  return value;
}

const SCHEME = /^OAuth[ \t]+/i;
const PARAMETER = /[ \t]*([^\s=",]+)="([ !#-~]*)"[ \t]*(,|$)/gy;

/** Reports whether an Authorization header has the OAuth 1.0a scheme. */
export function isOAuth1Header(header: string): boolean {
  return SCHEME.test(header);
}

/**
 * Parses an `Authorization: OAuth name="value", …` header. Returns the decoded parameters without `realm` (RFC 5849
 * 3.5.1). Throws a 401 for any other form, broken escapes and duplicate parameters.
 */
export function parseOAuth1Header(header: string): ReadonlyMap<string, string> {
  const scheme = SCHEME.exec(header);
  if (!scheme) throw new OAuth1Refused('parameters', 'the Authorization header is not OAuth');
  const text = header.slice(scheme[0].length);
  const parameters = new Map<string, string>();
  let end = 0;
  let separator = ',';
  for (const [whole, rawName = '', rawValue = '', after = ''] of text.matchAll(PARAMETER)) {
    addParameter(parameters, rawName, rawValue);
    end += whole.length;
    separator = after;
  }
  if (end !== text.length || separator !== '')
    throw new OAuth1Refused('parameters', 'the OAuth header is malformed');
  parameters.delete('realm');
  return parameters;
}

function addParameter(parameters: Map<string, string>, rawName: string, rawValue: string): void {
  const name = decodePercent(rawName);
  const value = decodePercent(rawValue);
  if (name === undefined || value === undefined)
    throw new OAuth1Refused('parameters', 'the OAuth header has a broken escape');
  if (parameters.has(name)) throw new OAuth1Refused('parameters', 'the OAuth header gives a parameter twice');
  parameters.set(name, value);
}
