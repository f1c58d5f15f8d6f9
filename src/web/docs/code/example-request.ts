import type { AnyEndpoint } from '../../../api/endpoint.js';
import { exampleOf, exampleUrl } from '../../../api/reference/examples.js';
import type { Method } from '../../../http/shell.js';

/**
 * How a request shows who sends it: `app` with the app's bearer token, `user` with an OAuth 2.0 token of a user,
 * `signed` with the keys of OAuth 1.0a; for tokens, `keys` with API key and secret, `client` with client ID and secret.
 */
export type Credential = 'none' | 'app' | 'user' | 'signed' | 'keys' | 'client';

export type Pairs = readonly (readonly [name: string, value: string])[];

export type ExampleBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly fields: Pairs }
  /** A form with a file of the reader, under the name `media`. */
  | { readonly kind: 'file'; readonly file: string; readonly fields: Pairs };

/** A request that a reader can copy and send, before it is written in a language. */
export interface ExampleRequest {
  readonly method: Method;
  /** Without the query. */
  readonly url: string;
  /** Not encoded. */
  readonly query: Pairs;
  readonly credential: Credential;
  readonly body?: ExampleBody;
  /** `none`: the answer has no body. */
  readonly answer: 'json' | 'stream' | 'file' | 'none';
}

export interface ExampleOptions {
  /** The address of this server, without a slash at the end. */
  readonly baseUrl: string;
  /** The id of the reader, for the paths that must have it. */
  readonly ownId?: string;
}

/** Returns an example request of an endpoint, with made-up values that pass validation. */
export function exampleRequest(endpoint: AnyEndpoint, { baseUrl, ownId }: ExampleOptions): ExampleRequest {
  const [path = '', rawQuery = ''] = exampleUrl(endpoint).split('?');
  const inForm = endpoint.formParams === true && endpoint.method === 'POST';
  const query = rawQuery === '' ? leadingParam(endpoint) : [...new URLSearchParams(rawQuery)];
  return {
    method: endpoint.method,
    url: baseUrl + withOwnId(endpoint, path, ownId),
    query: inForm ? [] : query,
    credential: credentialOf(endpoint),
    body: inForm && query.length > 0 ? { kind: 'form', fields: query } : bodyOf(endpoint),
    answer: answerOf(endpoint),
  };
}

/** Returns the credential that suits an endpoint: the app's own token where it takes one, as it is the simplest. */
function credentialOf({ access }: AnyEndpoint): Credential {
  if (access === 'public') return 'none';
  if (access.contexts.includes('app')) return 'app';
  return access.contexts.includes('oauth2') ? 'user' : 'signed';
}

/** The parameter that comes first of those of version 1.1, which declares none as required. */
function leadingParam({ openQuery, params = {} }: AnyEndpoint): Pairs {
  const [first] = openQuery === true ? Object.entries(params) : [];
  if (!first || first[1].in === 'path') return [];
  return [[first[0], String(exampleOf(first[1].schema))]];
}

function withOwnId({ access, path: pattern }: AnyEndpoint, path: string, ownId: string | undefined): string {
  if (ownId === undefined || access === 'public' || access.ownId === undefined) return path;
  const at = pattern.split('/').indexOf(`{${access.ownId}}`);
  return path
    .split('/')
    .map((step, index) => (index === at ? ownId : step))
    .join('/');
}

function bodyOf({ body, path }: AnyEndpoint): ExampleBody | undefined {
  if (body === undefined) return undefined;
  if (body.kind === 'json') return { kind: 'json', value: exampleOf(body.object.schema) };
  const isSegment = path.endsWith('/append');
  return { kind: 'file', file: 'picture.png', fields: isSegment ? [['segment_index', '0']] : [] };
}

function answerOf({ streams, file, response }: AnyEndpoint): ExampleRequest['answer'] {
  if (streams === true) return 'stream';
  if (file === true) return 'file';
  return response === undefined ? 'none' : 'json';
}

/** Returns the address with its query. A quote, which languages would read as an end of text, is encoded. */
export function fullUrl({ url, query }: ExampleRequest): string {
  const encode = (text: string): string => percentEncode(text).replaceAll('%2C', ',');
  const pairs = query.map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? url : `${url}?${pairs.join('&')}`;
}

/** Encodes all but unreserved characters, as signatures of OAuth 1.0a do (RFC 5849, section 3.6). */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The variables with the secrets of each credential; `twarc` and other programs read the same names. */
export const CREDENTIAL_VARIABLES: Readonly<Record<Credential, readonly string[]>> = {
  none: [],
  app: ['BEARER_TOKEN'],
  user: ['OAUTH2_ACCESS_TOKEN'],
  signed: ['CONSUMER_KEY', 'CONSUMER_SECRET', 'ACCESS_TOKEN', 'ACCESS_TOKEN_SECRET'],
  keys: ['CONSUMER_KEY', 'CONSUMER_SECRET'],
  client: ['CLIENT_ID', 'CLIENT_SECRET'],
};

/** Reports whether a credential is a name and a password (RFC 7617). */
export function isBasic(credential: Credential): boolean {
  return credential === 'keys' || credential === 'client';
}
