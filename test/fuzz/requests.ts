import type { Context } from '../../src/core/access.js';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { exampleOf } from '../../src/api/reference/examples.js';
import type { Random } from '../faults/support/random.js';
import { signHeader } from '../auth/support/sign.js';
import { KNOWN_VALUES, SENDER } from './fuzz-world.js';
import { oddMedia, oddMultipart } from './odd-media.js';
import { encodeOddly, noise, oddJson, oddQuery, oddText } from './odd-values.js';

/** A request as it is sent. */
export interface FuzzRequest {
  readonly method: string;
  /** Printable ASCII. */
  readonly target: string;
  /** Values can contain any Latin-1 character except line ends. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** The client disconnects before it has sent everything. */
  readonly leaves: boolean;
  /** The answer may have no end: the client disconnects when it has read the head. */
  readonly isEndless?: boolean;
}

/** A form of a page with its values. */
export interface PageForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The parts from which requests are made. */
export interface FuzzSurface {
  readonly origin: string;
  readonly endpoints: readonly AnyEndpoint[];
  /** Routes besides the endpoints: pages, OAuth, files. */
  readonly plainRoutes: readonly {
    readonly method: string;
    readonly path: string;
    readonly isEndless?: boolean;
  }[];
  readonly forms: readonly PageForm[];
  /** The cookie of the user signed in to the pages. */
  readonly cookie: string;
  readonly media: readonly [Buffer, ...Buffer[]];
}

interface Draft {
  readonly method: string;
  readonly target: string;
  readonly contentType?: string;
  readonly body: Buffer;
  /** The body as a form, which OAuth 1.0a signs. */
  readonly form?: string;
  /** The accepted types of credentials, if any. */
  readonly contexts?: readonly Context[];
  readonly isEndless?: boolean;
}

/** Makes the request determined by these numbers; `unique` occurs in no other request. */
export function makeRequest(random: Random, surface: FuzzSurface, unique: string): FuzzRequest {
  const draft = draftOf(random, surface);
  const headers: (readonly [string, string])[] = [['host', new URL(surface.origin).host]];
  const type = random.below(8) === 0 ? oddContentType(random) : draft.contentType;
  if (type !== undefined) headers.push(['content-type', latin1(type)]);
  headers.push(...credentialsOf(random, surface, draft, unique), ...oddHeaders(random));
  return { ...draft, headers, leaves: random.below(60) === 0 };
}

function draftOf(random: Random, surface: FuzzSurface): Draft {
  const form = surface.forms[random.below(surface.forms.length)];
  if (form && random.below(8) === 0) return formDraft(random, form);
  if (random.below(4) > 0) return endpointDraft(random, surface);
  const {
    method,
    path,
    isEndless = false,
  } = surface.plainRoutes[random.below(surface.plainRoutes.length)] ?? { method: 'GET', path: '/' };
  const query = random.below(2) === 0 ? '' : `?${oddPairs(random)}`;
  const target = fill(random, path) + query;
  const isJson = random.below(3) === 0;
  if (method === 'GET')
    return { method: random.pick(['GET', 'HEAD']), target, body: Buffer.alloc(0), isEndless };
  const text = isJson
    ? oddJson(random, { grant_type: 'client_credentials', client_id: 'x' })
    : oddPairs(random);
  const contentType = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  return { method, target, contentType, body: encodeOddly(random, text), form: isJson ? undefined : text };
}

function formDraft(random: Random, { action, fields }: PageForm): Draft {
  const names = Object.keys(fields);
  const changed = names[random.below(names.length)] ?? 'x';
  const form = new URLSearchParams({ ...fields, ...(changed !== 'csrf' && { [changed]: oddText(random) }) });
  const text = form.toString();
  return {
    method: 'POST',
    target: action,
    contentType: 'application/x-www-form-urlencoded',
    body: Buffer.from(text),
    form: text,
  };
}

function endpointDraft(random: Random, surface: FuzzSurface): Draft {
  const writers = surface.endpoints.filter(({ body }) => body !== undefined);
  const some = random.below(2) === 0 ? writers : surface.endpoints;
  const endpoint = some[random.below(some.length)] ?? surface.endpoints[0];
  if (!endpoint) throw new Error('no endpoints');
  const { method, access } = endpoint;
  const target = fill(random, endpoint.path, ownIdOf(endpoint)) + queryOf(random, endpoint);
  const contexts = access === 'public' ? undefined : access.contexts;
  const isEndless = endpoint.streams === true;
  return { method, target, contexts, isEndless, ...bodyOf(random, surface, endpoint) };
}

type DraftBody = Pick<Draft, 'contentType' | 'body' | 'form'>;

function bodyOf(random: Random, surface: FuzzSurface, { body }: AnyEndpoint): DraftBody {
  if (body === undefined) return { body: random.below(10) === 0 ? noise(random, 20) : Buffer.alloc(0) };
  if (body.kind === 'streamed' && random.below(4) > 0) return uploadBody(random, surface);
  const example =
    body.kind === 'json' ? exampleOf(body.object.schema) : { media_data: 'AAAA', media_id: '1' };
  const json = random.below(3) === 0 ? JSON.stringify(example) : oddJson(random, example);
  return { contentType: 'application/json', body: encodeOddly(random, json) };
}

function ownIdOf({ access }: AnyEndpoint): string | undefined {
  return access === 'public' ? undefined : access.ownId;
}

function uploadBody(random: Random, { media }: FuzzSurface): DraftBody {
  const file = oddMedia(random, media);
  const command = random.pick([undefined, undefined, 'INIT', 'APPEND', 'FINALIZE', 'STATUS', 'x']);
  const fields: Record<string, string> = {
    ...(command && { command }),
    media_category: random.pick([
      'tweet_image',
      'tweet_gif',
      'tweet_video',
      'subtitles',
      oddText(random, 50),
    ]),
    media_type: random.pick(['image/png', 'video/mp4', 'text/vtt', oddText(random, 50)]),
    total_bytes: random.pick([String(file.length), '1', oddText(random, 30)]),
    segment_index: random.pick(['0', '1', '999', oddText(random, 30)]),
    additional_owners: random.pick(['101', '101,102', oddText(random, 100)]),
  };
  if (random.below(4) === 0) {
    const form = new URLSearchParams({ ...fields, media_data: base64Of(random, file) }).toString();
    return {
      contentType: 'application/x-www-form-urlencoded',
      body: Buffer.from(form),
      form,
    };
  }
  if (random.below(3) === 0) {
    const text = JSON.stringify({ ...fields, media: base64Of(random, file) });
    return { contentType: 'application/json', body: encodeOddly(random, text) };
  }
  const { contentType, bytes } = oddMultipart(random, fields, random.below(8) === 0 ? undefined : file);
  return { contentType, body: bytes };
}

function base64Of(random: Random, bytes: Buffer): string {
  const text = bytes.toString('base64');
  return random.below(4) > 0 ? text : text + oddText(random, 100_000);
}

/** Replaces each parameter of the path with a value. */
function fill(random: Random, path: string, ownId?: string): string {
  const value = (name: string): string => {
    if (name === ownId && random.below(5) > 0) return SENDER.id;
    return random.below(3) === 0 ? encode(random, oddText(random, 500)) : known(random, name);
  };
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => value(name)).replace('*', () => value('file'));
}

function known(random: Random, name: string): string {
  return random.pick(KNOWN_VALUES[name] ?? ['1', 'x', '1560000000000000001']);
}

function queryOf(random: Random, { params = {} }: AnyEndpoint): string {
  const pairs: string[] = [];
  for (const [name, spec] of Object.entries(params)) {
    if (spec.in === 'path' || (!spec.required && random.below(4) > 0)) continue;
    const isOdd = random.below(3) === 0;
    const text = isOdd
      ? oddValue(random, name)
      : ((KNOWN_VALUES[name] && known(random, name)) ?? String(exampleOf(spec.schema)));
    const spelled = random.below(4) === 0 ? name.replace('.', '_') : name;
    pairs.push(`${spelled}=${isOdd ? encode(random, text) : encodeURIComponent(text)}`);
  }
  if (random.below(6) === 0) pairs.push(oddPairs(random));
  return pairs.length === 0 ? '' : `?${pairs.join(random.pick(['&', '&', '&', '&&', ';']))}`;
}

function oddValue(random: Random, name: string): string {
  return name === 'query' && random.below(4) > 0 ? oddQuery(random) : oddText(random, 2_000);
}

const PLAIN_NAMES = [
  'id',
  'query',
  'oauth_token',
  'oauth_verifier',
  'oauth_callback',
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'grant_type',
  'code',
  'refresh_token',
  'token',
  'state',
  'scope',
  'next',
  'username',
  'password',
  'csrf',
  'tweet.fields',
] as const;

function oddPairs(random: Random): string {
  const count = random.pick([0, 1, 3, 8]);
  const pairs = Array.from({ length: count }, () => {
    const name = random.below(6) === 0 ? oddText(random, 50) : random.pick(PLAIN_NAMES);
    const value = random.pick([
      oddText(random, 1_000),
      'pond-client-id',
      'authorization_code',
      'code',
      'x',
      '1',
    ]);
    return `${encode(random, name)}=${encode(random, value)}`;
  });
  return pairs.join('&');
}

/** Percent-encodes a text, not always correctly. */
function encode(random: Random, text: string): string {
  const wellFormed = text.toWellFormed().slice(0, 4_000);
  switch (random.below(8)) {
    case 0:
      return `${encodeURIComponent(wellFormed)}${random.pick(['%', '%zz', '%ff%fe', '%c0%80', '%ed%a0%80', '+'])}`;
    case 1:
      return wellFormed.replaceAll(/[^!-~]|[?#]/g, '') || 'x';
    default:
      return encodeURIComponent(wellFormed);
  }
}

function oddContentType(random: Random): string {
  return random.pick([
    'application/json; charset=utf-16',
    'APPLICATION/JSON',
    'application/json,application/json',
    'application/x-www-form-urlencoded; charset=x',
    'multipart/form-data',
    'multipart/form-data; boundary="',
    'text/plain',
    ';',
    oddText(random, 2_000),
  ]);
}

function credentialsOf(
  random: Random,
  { origin, cookie }: FuzzSurface,
  draft: Draft,
  unique: string,
): (readonly [string, string])[] {
  const { contexts } = draft;
  if (contexts === undefined && random.below(3) > 0) return random.below(4) === 0 ? [] : [['cookie', cookie]];
  const context = random.below(8) > 0 ? contexts?.[random.below(contexts.length)] : undefined;
  switch (context ?? random.pick(['app', 'oauth1', 'oauth2', 'odd', 'none'])) {
    case 'app':
      return [['authorization', `Bearer ${SENDER.bearer}`]];
    case 'oauth1':
      return [['authorization', signatureOf(random, origin, draft, unique)]];
    case 'oauth2':
      return [['authorization', `Bearer ${SENDER.oauth2}`]];
    case 'odd': {
      const scheme = random.pick(['Bearer ', 'Basic ', 'OAuth ', '']);
      return [['authorization', latin1(scheme + oddText(random, 3_000))]];
    }
    case 'none':
      return [];
  }
}

function signatureOf(random: Random, origin: string, draft: Draft, unique: string): string {
  const header = signHeader({
    method: draft.method,
    url: origin + draft.target,
    form: draft.form,
    consumerKey: SENDER.appKey,
    consumerSecret: SENDER.appSecret,
    token: SENDER.accessToken,
    tokenSecret: SENDER.accessSecret,
    timestampSeconds: Math.floor(Date.now() / 1000),
    nonce: unique,
  });
  if (random.below(5) > 0) return header;
  return latin1(header.replace(/oauth_\w+="[^"]*"/, `oauth_nonce="${oddText(random, 300)}"`));
}

function oddHeaders(random: Random): (readonly [string, string])[] {
  if (random.below(3) > 0) return [];
  const odd = (name: string): readonly [string, string] => [name, latin1(oddText(random, 2_000))];
  return [
    random.pick([
      ['accept', 'text/html'] as const,
      ['content-encoding', 'gzip'] as const,
      ['expect', '100-continue'] as const,
      ['upgrade', 'websocket'] as const,
      ['range', 'bytes=5-1'] as const,
      ['if-none-match', '*'] as const,
      ['x-forwarded-for', '1.2.3.4:80, unknown'] as const,
      odd('cookie'),
      odd('accept-language'),
      odd('x-forwarded-for'),
      odd('content-range'),
      odd('referer'),
      odd('origin'),
      odd('range'),
      odd('content-encoding'),
      ['content-type', 'application/json'] as const,
    ]),
  ];
}

/** Returns the text reduced to characters that a header can contain. */
function latin1(text: string): string {
  return text.replaceAll(/[\0\r\n]/g, '').replaceAll(/[^\x01-\xff]/g, '?');
}
