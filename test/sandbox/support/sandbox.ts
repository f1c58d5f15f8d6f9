import { loadLanguageDetector } from '../../../src/core/post-text/language.js';
import type { Clock } from '../../../src/core/clock.js';
import { SANDBOX_PATH } from '../../../src/sandbox/operation.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { startSandbox } from '../../../src/sandbox/start-sandbox.js';
import { readConfig, type ServeFlags } from '../../../src/server/config.js';
import type { LooseJson } from '../../support/loose-json.js';
import { concernsUnsafeSettings } from '../../support/postgres.js';
import { createTestDatabase } from '../../support/test-database.js';
import { standardWorld } from '../../support/world.js';

export interface SandboxAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, otherwise text; undefined for an empty body. */
  readonly body: LooseJson;
}

/** A sandbox that listens, as its clients see it. */
export interface TestSandbox extends AsyncDisposable {
  readonly url: string;
  readonly sandbox: Sandbox;
  /** Sends a request to the server; `token` is a bearer token. */
  send(method: string, path: string, token?: string, body?: unknown): Promise<SandboxAnswer>;
  /** Sends a request to an operation of the sandbox. */
  control(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<SandboxAnswer>;
  /** Issues an OAuth 2.0 token of a user. */
  tokenOf(username: string): Promise<string>;
}

export interface TestSandboxOptions {
  /** By default the standard world; none for null. */
  readonly world?: unknown;
  readonly clock?: Clock;
  /** Flags of `serve`. */
  readonly flags?: ServeFlags;
  /** The folder for the files of a database on a server. */
  readonly dataFolder?: string;
}

const language = loadLanguageDetector();

const log = {
  error: (fields: object, message: string) => console.error(message, fields),
  warn: (fields: object, message: string) => {
    if (!concernsUnsafeSettings(message)) console.error(message, fields);
  },
};

/** Starts a sandbox on an empty database of the run’s engine, in memory for SQLite. */
export async function startTestSandbox({
  world = standardWorld(),
  clock,
  flags = {},
  dataFolder,
}: TestSandboxOptions = {}): Promise<TestSandbox> {
  const database = flags.database === undefined ? await createTestDatabase() : undefined;
  const defaults: ServeFlags = { port: '0', rateLimits: 'off', durability: 'relaxed' };
  const config = readConfig({ sandbox: true, database: database?.url, ...defaults, ...flags }, {});
  const running = await startSandbox(config, {
    log,
    clock,
    language: await language,
    dataFolder: dataFolder ?? database?.dataFolder,
    detectsNesting: false,
    worlds: world === null ? [] : [world],
  });
  const { url, sandbox } = running;
  const control: TestSandbox['control'] = (method, path, body, headers) =>
    request(method, url + SANDBOX_PATH + path, headers, body);
  return {
    url,
    sandbox,
    control,
    send: (method, path, token, body) =>
      request(method, url + path, token === undefined ? {} : { authorization: `Bearer ${token}` }, body),
    tokenOf: async (username) =>
      (await control('POST', '/tokens', { username })).body.data.access_token as string,
    [Symbol.asyncDispose]: async () => {
      await running.close();
      await database?.remove();
    },
  };
}

async function request(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<SandboxAnswer> {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(url, {
    method,
    headers: { ...json, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') === true;
  return {
    status: answer.status,
    headers: answer.headers,
    body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
  };
}
