import { OAuthError } from '../../auth/oauth2/oauth-error.js';
import type { OAuthParameters } from '../../auth/oauth2/parameters.js';
import { isForm } from '../../http/request-parts.js';
import { JsonRefused, isLongInteger, readJson } from '../../http/json.js';
import type { PlainRequest } from '../../http/plain-route.js';

/** Ample, since all parameters are short. */
export const MAX_OAUTH_BODY_BYTES = 64 * 1024;

const JSON_BODY = /^\s*application\/(?:[\w.-]+\+)?json\b/i;

/**
 * Returns the parameters of a request to an OAuth 2.0 endpoint, from its query and its form or JSON body
 * (docs/api/authentication.md#tokens). Throws OAuthError for a parameter with two values or a NUL, and for an
 * unreadable body.
 */
export function readOAuthParameters({
  rawQuery,
  headers,
  body,
}: Pick<PlainRequest, 'rawQuery' | 'headers' | 'body'>): OAuthParameters {
  const parameters = new Map<string, string>();
  const type = headers['content-type'] ?? '';
  const fromBody = JSON_BODY.test(type) ? membersOf(body) : isForm(type) ? formOf(body) : [];
  for (const [name, value] of [...new URLSearchParams(rawQuery), ...fromBody]) {
    if ((parameters.get(name) ?? value) !== value) {
      throw new OAuthError('invalid_request', `The parameter [${name.slice(0, 50)}] has two values.`);
    }
    // No parameter contains NUL, which not every database accepts in a query.
    if (value.includes('\0')) {
      throw new OAuthError('invalid_request', `The parameter [${name.slice(0, 50)}] has a NUL character.`);
    }
    parameters.set(name, value);
  }
  return parameters;
}

function formOf(body: Buffer): Iterable<[string, string]> {
  return new URLSearchParams(body.toString());
}

/** Returns the string members of a JSON object; parameters have no other type. */
function membersOf(body: Buffer): [string, string][] {
  const object = parse(body);
  if (typeof object !== 'object' || object === null || Array.isArray(object)) throw unreadable();
  const isText = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string' && !isLongInteger(entry[1]);
  return Object.entries(object).filter(isText);
}

function parse(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return readJson(body);
  } catch (error) {
    if (error instanceof JsonRefused) throw new OAuthError('invalid_request', error.message);
    throw error;
  }
}

function unreadable(): OAuthError {
  return new OAuthError('invalid_request', 'Could not parse the request body as JSON.');
}
