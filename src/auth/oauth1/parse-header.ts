import { OAuth1Refused } from './refusal.js';
import { decodePercent } from './percent.js';

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
