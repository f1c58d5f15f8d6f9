import { createHmac } from 'node:crypto';
import { postId } from './world.js';
import { zipf } from './zipf.js';

/** A request that the generator repeats, as data for its process. */
export type RequestPlan =
  /** The same bytes each time. */
  | { readonly kind: 'same'; readonly text: string }
  /** One of the texts, the first more often: by a Zipf distribution. */
  | { readonly kind: 'varied'; readonly texts: readonly string[] }
  /** A number of twelve digits between two texts, counting up from `first`. */
  | { readonly kind: 'counted'; readonly before: string; readonly after: string; readonly first: number }
  /** A GET of `count` random posts among the first `posts` of bench/world.ts, between two texts. */
  | {
      readonly kind: 'random';
      readonly before: string;
      readonly after: string;
      readonly count: number;
      readonly posts: number;
    };

/** The secrets of OAuth 1.0a. */
export interface SigningKeys {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token: string;
  readonly tokenSecret: string;
}

const COUNTER_DIGITS = 12;

/** Returns the bytes of the next request. */
export type RequestSource = () => string;

export function requestSource(plan: RequestPlan): RequestSource {
  switch (plan.kind) {
    case 'same':
      return () => plan.text;
    case 'varied':
      return variedRequests(plan.texts);
    case 'counted':
      return countedRequests(plan.before, plan.after, plan.first);
    case 'random':
      return randomRequests(plan);
  }
}

function variedRequests(texts: readonly string[]): RequestSource {
  const rank = zipf(texts.length, Math.random);
  return () => texts[rank()] ?? '';
}

function countedRequests(before: string, after: string, first: number): RequestSource {
  let next = first;
  return () => {
    const digits = String(next).padStart(COUNTER_DIGITS, '0');
    next += 1;
    return before + digits + after;
  };
}

function randomRequests({ before, after, count, posts }: Extract<RequestPlan, { kind: 'random' }>) {
  const anyId = (): string => postId(Math.floor(Math.random() * posts));
  return () => before + Array.from({ length: count }, anyId).join(',') + after;
}

/** Returns the bytes of a GET without a query, signed with a new nonce (docs/api/authentication.md#signature). */
export function signedGet(path: string, host: string, keys: SigningKeys): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const nonce = `n${process.hrtime.bigint()}`;
  const encode = encodeURIComponent;
  const parameters =
    `oauth_consumer_key=${encode(keys.consumerKey)}&oauth_nonce=${nonce}&oauth_signature_method=HMAC-SHA1` +
    `&oauth_timestamp=${timestamp}&oauth_token=${encode(keys.token)}&oauth_version=1.0`;
  const base = `GET&${encode(`http://${host}${path}`)}&${encode(parameters)}`;
  const key = `${encode(keys.consumerSecret)}&${encode(keys.tokenSecret)}`;
  const signature = encode(createHmac('sha1', key).update(base).digest('base64'));
  const header = `OAuth ${parameters.replaceAll('=', '="').replaceAll('&', '", ')}", oauth_signature="${signature}"`;
  return getRequest(path, host, header);
}

/** Returns the bytes of a GET. */
export function getRequest(path: string, host: string, authorization: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\naccept: application/json\r\n\r\n`;
}

/** Returns the bytes of a request with an optional JSON body. */
export function bodyRequest(
  method: string,
  path: string,
  {
    host,
    authorization,
    body,
  }: { readonly host: string; readonly authorization: string; readonly body?: object },
): string {
  const json = body === undefined ? '' : Buffer.from(JSON.stringify(body)).toString('latin1');
  const type =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${json.length}\r\n`;
  return (
    `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\n` +
    `accept: application/json\r\n${type}\r\n${json}`
  );
}

/** Returns the bytes of a form sent by a browser. */
export function formRequest(
  path: string,
  host: string,
  cookie: string,
  fields: Readonly<Record<string, string>>,
): string {
  const form = new URLSearchParams(fields).toString();
  return (
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n` +
    `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${form.length}\r\n\r\n${form}`
  );
}

/** Returns a POST whose text ends in a new number each time. */
export function countedPost(path: string, host: string, authorization: string, first: number): RequestPlan {
  const [start, end] = ['{"text":"The tide comes in, the lamps go on, post no. ', '"}'];
  const length = start.length + COUNTER_DIGITS + end.length;
  const head =
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\naccept: application/json\r\n` +
    `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  return { kind: 'counted', before: head + start, after: end, first };
}

const ID_PLACE = '{ids}';

/** Returns a GET of `count` random posts; `path` has `{ids}` in place of the ids. */
export function randomGet(
  path: string,
  host: string,
  authorization: string,
  { count, posts }: { readonly count: number; readonly posts: number },
): RequestPlan {
  const [before = '', after = ''] = getRequest(path, host, authorization).split(ID_PLACE);
  return { kind: 'random', before, after, count, posts };
}
