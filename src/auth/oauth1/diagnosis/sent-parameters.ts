import { isUnicodeText } from '../../../core/unicode.js';
import { type AuthRequest, queryOf } from '../../auth-request.js';
import { isProtocolParameter, isOAuth1Header, type Pair, parseForm, parseOAuth1Header } from '../protocol.js';

/** The parameters of a signed request by their place, without `oauth_signature`. */
export interface SentParameters {
  readonly header: readonly Pair[];
  readonly query: readonly Pair[];
  readonly form: readonly Pair[];
  /** Query and form as sent, with their escapes. */
  readonly rawQuery: string;
  readonly rawForm: string;
  /** The members of a JSON body, which must not be signed. */
  readonly json: readonly Pair[];
}

/** Longer bodies are not parsed. */
const MAX_BODY_CHARACTERS = 16_384;
const MAX_MEMBERS = 50;

/** Reads the parameters of a request that `readProtocol` accepted. `body` is a body that is not a form. */
export function readSentParameters(request: AuthRequest, body: string | undefined): SentParameters {
  const { authorization = '' } = request.headers;
  const header = isOAuth1Header(authorization) ? [...parseOAuth1Header(authorization)] : [];
  const rawQuery = queryOf(request.url);
  const rawForm = request.formBody ?? '';
  const seen = new Set<string>();
  const once = (pairs: readonly Pair[]): Pair[] => pairs.filter(([name]) => isFirst(seen, name));
  return {
    header: once(header),
    query: once(parseForm(rawQuery)),
    form: once(parseForm(rawForm)),
    rawQuery,
    rawForm,
    json: body === undefined ? [] : membersOf(body),
  };
}

/** Reports whether a parameter is signed here: protocol parameters count once, and the signature never. */
function isFirst(seen: Set<string>, name: string): boolean {
  if (name === 'oauth_signature') return false;
  if (!isProtocolParameter(name)) return true;
  if (seen.has(name)) return false;
  seen.add(name);
  return true;
}

function membersOf(body: string): Pair[] {
  if (body.length > MAX_BODY_CHARACTERS) return [];
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    const members = Object.entries(value).slice(0, MAX_MEMBERS);
    return members
      .map(([name, member]): Pair => [name, typeof member === 'string' ? member : JSON.stringify(member)])
      .filter((pair) => pair.every(isUnicodeText));
  } catch {
    return [];
  }
}
