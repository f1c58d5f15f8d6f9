import { decodePercent } from '../percent.js';
import type { Pair } from '../protocol.js';
import type { SentParameters } from './sent-parameters.js';

/** Parameter names that indicate secrets. */
const SECRET_NAME = /pass|secret|token|code|verifier|signature|auth|key|session|state/i;

/** Parameters of the protocol that are not secret. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set([
  'oauth_body_hash',
  'oauth_callback',
  'oauth_consumer_key',
  'oauth_nonce',
  'oauth_signature_method',
  'oauth_timestamp',
  'oauth_version',
]);

/** How much of a token is kept: enough to identify it. */
const TOKEN_PREFIX_LENGTH = 8;

/** Replaces a value that may grant access. */
export function hideSecret([name, value]: Pair): Pair {
  return [name, hideValue(name, value)];
}

function hideValue(name: string, value: string): string {
  if (name === 'oauth_token') {
    return value.length > TOKEN_PREFIX_LENGTH ? `${value.slice(0, TOKEN_PREFIX_LENGTH)}HIDDEN` : value;
  }
  return SECRET_NAME.test(name) && !PUBLIC_NAMES.has(name) ? 'HIDDEN' : value;
}

/** Replaces secret values in everything that a client sent, with the same number of parameters. */
export function hideSent({ header, query, form, rawQuery, rawForm, json }: SentParameters): SentParameters {
  return {
    header: header.map(hideSecret),
    query: query.map(hideSecret),
    form: form.map(hideSecret),
    json: json.map(hideSecret),
    rawQuery: hideRaw(rawQuery),
    rawForm: hideRaw(rawForm),
  };
}

function hideRaw(raw: string): string {
  return raw.split('&').map(hideRawPair).join('&');
}

function hideRawPair(part: string): string {
  const equals = part.indexOf('=');
  if (equals < 0) return part;
  const name = part.slice(0, equals);
  const value = part.slice(equals + 1);
  return `${name}=${hideValue(decodePercent(name) ?? name, value)}`;
}
