import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text as readText } from 'node:stream/consumers';

/** What a server answered to a refused request. */
export interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly type?: string;
  readonly status?: number;
  readonly errors?: readonly unknown[];
}

/** Thrown when a server refuses a request. The message has the method, the path, the status and the detail. */
export class PipitRefused extends Error {
  override readonly name = 'PipitRefused';

  constructor(
    readonly method: string,
    readonly path: string,
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(`${method} ${path}: ${status} ${describe(problem)}`);
  }
}

/** A parameter that is undefined is not sent. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** A bearer token. */
  readonly token?: string;
}

type ControlOptions = Omit<RequestOptions, 'token'>;

/** Requests to a server. */
export interface Connection {
  /** The base URL of the server, without a trailing slash. */
  readonly url: string;
  /** Sends a request of the interface, and returns the parsed answer. Throws PipitRefused. */
  send<T>(method: string, path: string, options?: RequestOptions): Promise<T>;
  /** Sends a request to the sandbox, and returns the parsed answer. Throws PipitRefused. */
  ask<T>(method: string, path: string, options?: ControlOptions): Promise<T>;
  /** Does the same and returns `data` of the answer. */
  control<T>(method: string, path: string, options?: ControlOptions): Promise<T>;
}

const SANDBOX_PATH = '/_pipit/sandbox';

/** Creates a connection. `key` is that of a sandbox that others can reach (`--sandbox-key`). */
export function connect(baseUrl: string, key?: string): Connection {
  const url = baseUrl.replace(/\/$/, '');
  const send = async <T>(
    method: string,
    path: string,
    { query, body, token }: RequestOptions,
    more: Record<string, string>,
  ): Promise<T> => {
    const headers: Record<string, string> = { ...more };
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const { status, text } = await exchange(url + withQuery(path, query), method, headers, sent);
    const parsed = parse(text);
    if (status < 200 || status > 299) throw new PipitRefused(method, path, status, problemOf(parsed, text));
    return parsed as T;
  };
  const ask: Connection['ask'] = (method, path, options = {}) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'x-pipit-sandbox-key': key };
    return send(method, SANDBOX_PATH + path, options, headers);
  };
  return {
    url,
    send: (method, path, options = {}) => send(method, path, options, {}),
    ask,
    control: async <T>(method: string, path: string, options?: ControlOptions) =>
      (await ask<{ readonly data: T }>(method, path, options)).data,
  };
}

/** Sends a request without `fetch`, which tests may replace: loading it takes a fifth of the CPU of fifty short tests. */
async function exchange(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<{ readonly status: number; readonly text: string }> {
  const sent = (url.startsWith('https:') ? requestHttps : requestHttp)(url, { method, headers });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, text: await readText(answer) };
}

function withQuery(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, String(value));
  }
  return params.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${params.toString()}`;
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemOf(parsed: unknown, text: string): Problem {
  return typeof parsed === 'object' && parsed !== null ? parsed : { detail: text.slice(0, 500) };
}

function describe({ title, detail, errors }: Problem): string {
  const [first] = (errors ?? []) as readonly { readonly message?: string }[];
  return [title, detail, first?.message].filter((part) => part !== undefined).join(': ');
}
