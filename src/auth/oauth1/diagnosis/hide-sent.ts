import { hasSecretName, HIDDEN, hideToken, isIdentifying } from '../../../core/secret-parameters.js';
import { decodePercent } from '../percent.js';
import type { Pair } from '../protocol.js';
import type { SentParameters } from './sent-parameters.js';

/** Replaces a value that may grant access. */
export function hideSecret([name, value]: Pair): Pair {
  return [name, hideValue(name, value)];
}

function hideValue(name: string, value: string): string {
  if (name === 'oauth_token') return hideToken(value);
  return hasSecretName(name) && !isIdentifying(name) ? HIDDEN : value;
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
