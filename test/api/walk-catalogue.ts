import type { App } from '../../src/api/app.js';
import { inject, type InjectedAnswer, type InjectedRequest } from '../support/inject.js';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { exampleOf, exampleUrl } from '../../src/api/reference/examples.js';
import type { Context } from '../../src/core/access.js';
import type { ConformityCheck } from './support/conformity.js';

/** Headers that authenticate a request; `url` has path and query, for signatures. */
type Credential = (request: {
  readonly method: string;
  readonly url: string;
}) => Readonly<Record<string, string>>;

export interface Walk {
  readonly app: Pick<App, 'handle'>;
  readonly endpoints: readonly AnyEndpoint[];
  /**
   * A valid credential of each type, for an app on the research track with the highest level, all scopes and
   * permissions, and no reached rate limit. Trials that need an omitted type are skipped.
   */
  readonly credentials: Readonly<Partial<Record<Context, Credential>>>;
  /** The id of the user of the user credentials. */
  readonly ownId: string;
  /** Throws for a response that the OpenAPI document does not describe. */
  readonly check?: ConformityCheck;
}

interface Trial {
  readonly name: string;
  /** The documented statuses. */
  readonly expected: readonly number[];
  readonly request: Request;
  readonly credential?: Credential;
}

interface Request {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: InjectedRequest['payload'];
}

/**
 * Calls every endpoint without credentials, with credentials of a wrong type, with invalid ids, bodies and
 * parameters, and with its own example. Returns one line per undocumented response.
 */
export async function walkCatalogue(walk: Walk): Promise<string[]> {
  const faults: string[] = [];
  for (const endpoint of walk.endpoints) {
    for (const trial of trialsOf(endpoint, walk)) {
      const answer = await send(walk, endpoint, trial);
      const fault = faultOf(endpoint, trial, answer) ?? undescribed(endpoint, trial, answer, walk);
      if (fault !== undefined) faults.push(`${endpoint.operationId}, ${trial.name}: ${fault} ${answer.body}`);
    }
  }
  return faults;
}

async function send(walk: Walk, { method }: AnyEndpoint, trial: Trial): Promise<InjectedAnswer> {
  const { url, payload } = trial.request;
  const headers = { ...trial.request.headers, ...trial.credential?.({ method, url }) };
  return inject(walk.app, { method, url, headers, payload });
}

function faultOf(endpoint: AnyEndpoint, trial: Trial, answer: InjectedAnswer): string | undefined {
  const { statusCode } = answer;
  if (statusCode >= 500) return `answered ${statusCode}`;
  if (!trial.expected.includes(statusCode)) {
    return `answered ${statusCode}, not ${trial.expected.join(' or ')}`;
  }
  if (statusCode < 400) return undefined;
  const body = answer.json<{
    title?: string;
    detail?: string;
    type?: string;
    errors?: { message: string }[];
  }>();
  const isProblem =
    endpoint.errorStyle === 'v1'
      ? body.errors?.[0]?.message !== undefined
      : body.title !== undefined && body.detail !== undefined && body.type !== undefined;
  return isProblem ? undefined : 'sent a body that is no problem';
}

function undescribed(
  { method }: AnyEndpoint,
  { request }: Trial,
  { statusCode, body, headers }: InjectedAnswer,
  { check }: Walk,
): string | undefined {
  try {
    const isJson = String(headers['content-type']).includes('json');
    check?.(method, request.url, statusCode, isJson ? JSON.parse(body) : body);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function trialsOf(endpoint: AnyEndpoint, walk: Walk): Trial[] {
  const good = exampleRequest(endpoint, walk.ownId);
  const credential = credentialFor(endpoint, walk);
  if (endpoint.access !== 'public' && credential === undefined) return accessTrials(endpoint, walk, good);
  return [
    ...accessTrials(endpoint, walk, good),
    ...inputTrials(endpoint, good).map((trial) => ({ ...trial, credential })),
  ];
}

function accessTrials({ access }: AnyEndpoint, walk: Walk, good: Request): Trial[] {
  if (access === 'public') return [];
  const wrong = (Object.keys(walk.credentials) as Context[]).filter(
    (context) => !access.contexts.includes(context),
  );
  return [
    { name: 'no credentials', expected: [401], request: good },
    ...wrong.map((context) => ({
      name: `${context} credentials`,
      expected: [403],
      request: good,
      credential: walk.credentials[context],
    })),
  ];
}

function inputTrials(endpoint: AnyEndpoint, good: Request): Trial[] {
  return [
    // A stream has no end.
    ...(endpoint.streams === true
      ? []
      : [{ name: 'its own example', expected: exampleStatuses(endpoint), request: good }]),
    ...pathTrials(endpoint, good),
    ...(endpoint.openQuery === true ? [] : queryTrials(endpoint, good)),
    ...bodyTrials(endpoint, good),
  ];
}

/** Operations about webhooks answer 400 when there is no such webhook or no such host (docs/api/webhooks.md). */
const REFUSES_UNKNOWN = /Webhook|AccountActivitySubscription(s|$)/;

/** The example is valid; its ids need not exist, and rules may forbid the action. */
function exampleStatuses({ success = 200, body, openQuery, operationId }: AnyEndpoint): number[] {
  const isChecked = body?.kind !== 'streamed' && openQuery !== true && !REFUSES_UNKNOWN.test(operationId);
  return isChecked ? [success, 403, 404, 409] : [success, 400, 403, 404, 409];
}

function pathTrials({ path, params = {} }: AnyEndpoint, good: Request): Trial[] {
  const ids = Object.entries(params).filter(([, spec]) => spec.in === 'path' && 'pattern' in spec.schema);
  return ids.map(([name]) => ({
    name: `a bad ${name}`,
    expected: [400],
    request: { ...good, url: withStep(good.url, path.split('/').indexOf(`{${name}}`), 'n%20o') },
  }));
}

/** Replaces one step of the path of a URL. */
function withStep(url: string, at: number, text: string): string {
  const [path = '', ...query] = url.split('?');
  return [path.split('/').with(at, text).join('/'), ...query].join('?');
}

function queryTrials({ params = {} }: AnyEndpoint, good: Request): Trial[] {
  const separator = good.url.includes('?') ? '&' : '?';
  const add = (query: string) => ({ ...good, url: `${good.url}${separator}${query}` });
  const names = Object.entries(params).flatMap(([name, { in: place }]) => (place === 'query' ? [name] : []));
  const [first] = names;
  return [
    { name: 'an unknown parameter', expected: [400], request: add('no_such_parameter=1') },
    { name: 'broken UTF-8', expected: [400], request: add(`${first ?? 'x'}=%ff%fe`) },
    ...(first === undefined
      ? []
      : [{ name: 'a repeated parameter', expected: [400], request: add(`${first}=1&${first}=1`) }]),
  ];
}

function bodyTrials({ body }: AnyEndpoint, good: Request): Trial[] {
  if (body === undefined) return [];
  const tooLong = Buffer.alloc(body.maxBytes + 1, ' ');
  const json = { 'content-type': 'application/json' };
  const overlong = {
    name: 'an over-long body',
    expected: [413],
    request: { ...good, headers: json, payload: tooLong },
  };
  if (body.kind === 'streamed') return [overlong];
  const bad = (name: string, payload: string, headers: Record<string, string> = json): Trial => ({
    name,
    expected: [400],
    request: { ...good, headers, payload },
  });
  return [
    overlong,
    bad('a body that is no JSON', '{"a":'),
    bad('a body that is no object', '[]'),
    bad('a body with an unknown member', '{"no_such_member":1}'),
    bad('a body of another type', 'a=1', { 'content-type': 'text/plain' }),
  ];
}

/** Returns the documented example, on one’s own account where required. */
function exampleRequest(endpoint: AnyEndpoint, ownId: string): Request {
  const { access, body, params = {} } = endpoint;
  const url = exampleUrl(endpoint);
  const own = access === 'public' || access.ownId === undefined ? undefined : params[access.ownId];
  const ownUrl = own === undefined ? url : url.replace(String(exampleOf(own.schema)), ownId);
  if (body === undefined) return { url: ownUrl };
  if (body.kind === 'streamed')
    return { url: ownUrl, headers: { 'content-type': 'multipart/form-data' }, payload: 'x' };
  const payload = JSON.stringify(exampleOf(body.object.schema));
  return { url: ownUrl, headers: { 'content-type': 'application/json' }, payload };
}

/** Prefers a bearer token: malformed UTF-8 cannot be signed and would give a wrong signature. */
function credentialFor({ access }: AnyEndpoint, walk: Walk): Credential | undefined {
  if (access === 'public') return undefined;
  const preferred: readonly Context[] = ['app', 'oauth2', 'oauth1'];
  return preferred
    .filter((context) => access.contexts.includes(context))
    .map((context) => walk.credentials[context])
    .find((each) => each !== undefined);
}
