import type { IncomingHttpHeaders } from 'node:http';
import { SCOPES, type Permission, type Scope } from '../../src/core/access.js';
import { systemClock, type Clock } from '../../src/core/clock.js';
import type { AppId, UserId } from '../../src/core/ids.js';
import { loadLanguageDetector } from '../../src/core/post-text/language.js';
import { firstIdAt } from '../../src/core/snowflake.js';
import { readConfig, type ServeFlags } from '../../src/server/config.js';
import { worldDeps } from '../../src/server/backend.js';
import { buildPipit, type Pipit } from '../../src/server/start.js';
import { findUserByUsername } from '../../src/stores/users.js';
import { loadWorld } from '../../src/world/load-world.js';
import { concernsUnsafeSettings } from './postgres.js';
import { inject, type InjectedAnswer, type InjectedRequest } from './inject.js';
import { createTestDatabase, detectsNesting, type TestDatabaseUrl } from './test-database.js';
import { requireInSchema } from './world-schema.js';
import { APP, standardWorld } from './world.js';
import { emptySnapshot, fillDatabase, keepRows, snapshotOf } from './world-snapshots.js';
import type { LooseJson } from './loose-json.js';

export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, otherwise text; undefined for an empty body. */
  readonly body: LooseJson;
}

export interface OAuth1Credentials {
  readonly appKey: string;
  readonly appSecret: string;
  readonly accessToken: string;
  readonly accessSecret: string;
}

/**
 * The whole server on an empty database of the run’s engine (in memory for SQLite), without a socket until
 * `listen`.
 */
export interface TestApp extends AsyncDisposable {
  readonly pipit: Pipit;
  /** The bearer token of the standard world’s app. */
  readonly bearer: string;
  /** Sends `token` as a bearer token; without one, no credentials. */
  get(path: string, token?: string): Promise<TestAnswer>;
  post(path: string, token?: string, body?: unknown): Promise<TestAnswer>;
  put(path: string, token?: string, body?: unknown): Promise<TestAnswer>;
  delete(path: string, token?: string): Promise<TestAnswer>;
  /** Sends any request through the app’s `inject`. */
  request(request: InjectedRequest): Promise<TestAnswer>;
  /** Issues an OAuth 2.0 token of the user for the standard world’s app, with every scope by default. */
  as(username: string, scopes?: readonly Scope[]): Promise<string>;
  /** Issues OAuth 1.0a credentials of the user, with the app’s own permission by default. */
  oauth1(username: string, permission?: Permission): Promise<OAuth1Credentials>;
  /** Loads another world document. */
  load(world: unknown): Promise<void>;
  /** Listens on a free port of 127.0.0.1 and returns the URL. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** A world document: by default the standard world, none for null. */
  readonly world?: unknown;
  readonly clock?: Clock;
  /** Flags of `serve`. */
  readonly flags?: ServeFlags;
  /** Receives the lines of the request log, which is off by default. */
  readonly requestLog?: (fields: object) => void;
  /** Whether errors of the server are part of the test, and are not printed. */
  readonly expectsErrors?: boolean;
  /** The database to share with other servers; its creator removes it. By default a new one. */
  readonly database?: TestDatabaseUrl;
}

/** Prints errors of the server: an error of the server is an error of the test. */
const testLog = {
  error: (fields: object, message: string) => console.error(message, fields),
  warn: (fields: object, message: string) => {
    if (!concernsUnsafeSettings(message)) console.error(message, fields);
  },
};

const silentLog = { error: () => undefined, warn: () => undefined };

/** Shared by all servers of a test file. */
const language = loadLanguageDetector();

/** The base URL of links and of OAuth 1.0a signatures when the server does not listen. */
export const TEST_URL = 'http://pipit.test';

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { world = standardWorld(), clock = systemClock, flags = {}, requestLog: info } = options;
  const database = options.database ?? (await createTestDatabase());
  // Waiting for the disk of a database that is thrown away costs a statement for each transaction.
  const defaults: ServeFlags = { baseUrl: TEST_URL, rateLimits: 'off', durability: 'relaxed' };
  const config = readConfig({ database: database.url, ...defaults, ...flags }, {});
  const { dataFolder } = database;
  const isInMemory = database.url === 'sqlite::memory:';
  const loading = { clock, publicUrl: config.baseUrl ?? TEST_URL, language: await language };
  // A server that opens a world makes ids above those of its posts: it loads a world with later posts itself.
  const isKept = (isInMemory || !options.database) && world !== null && !hasLaterPosts(world, clock());
  const loaded = isInMemory && isKept ? await snapshotOf(world, loading) : undefined;
  const snapshot = isInMemory ? (loaded ?? (await emptySnapshot())) : undefined;
  const isLoaded =
    loaded !== undefined || (!isInMemory && isKept && (await fillDatabase(database, world, loading)));
  const pipit = await buildPipit(config, {
    log: { ...(options.expectsErrors ? silentLog : testLog), ...(info && { info }) },
    clock,
    detectsNesting,
    language: await language,
    dataFolder,
    snapshot,
  });
  const remove = options.database ? () => Promise.resolve() : database.remove;
  const close = async (): Promise<void> => {
    try {
      await pipit.close();
    } finally {
      await remove();
    }
  };
  const load = async (document: unknown): Promise<void> => {
    await loadWorld(worldDeps(pipit.backend, pipit.writer), document);
    requireInSchema(document);
  };
  if (world !== null && !isLoaded) {
    await load(world);
    if (!isInMemory && isKept) await keepRows(database, pipit.backend.key, world, loading);
  }

  const request: TestApp['request'] = async (injected) => {
    const answer = await inject(pipit.app, injected);
    return {
      status: answer.statusCode,
      headers: answer.headers as IncomingHttpHeaders,
      body: bodyOf(answer),
    };
  };
  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, token?: string, body?: unknown) =>
    request({ method, url, headers: bearerHeader(token), payload: body as object | undefined });
  return {
    pipit,
    bearer: APP.bearer_token,
    get: (path, token) => send('GET', path, token),
    post: (path, token, body) => send('POST', path, token, body),
    put: (path, token, body) => send('PUT', path, token, body),
    delete: (path, token) => send('DELETE', path, token),
    request,
    as: async (username, scopes = SCOPES) => {
      const holder = { appId: BigInt(APP.id) as AppId, userId: await userIdOf(pipit, username) };
      return (await pipit.backend.tokens.issueOAuth2({ ...holder, scopes })).accessToken;
    },
    oauth1: (username, permission) => issueOAuth1(pipit, username, permission),
    load,
    listen: async () => `http://127.0.0.1:${await pipit.app.listen({ host: '127.0.0.1', port: 0 })}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function hasLaterPosts(world: unknown, nowMs: number): boolean {
  const { posts } = (world ?? {}) as { readonly posts?: unknown };
  if (!Array.isArray(posts)) return false;
  return posts.some((post: { readonly id?: unknown } | null) => {
    const id = post?.id;
    return typeof id === 'string' && /^[0-9]{1,19}$/.test(id) && BigInt(id) >= firstIdAt(nowMs);
  });
}

async function issueOAuth1(
  { backend }: Pipit,
  username: string,
  permission: Permission | undefined,
): Promise<OAuth1Credentials> {
  const appId = BigInt(APP.id) as AppId;
  const userId = await userIdOf({ backend }, username);
  const before = (await backend.apps.find(appId))?.permissions;
  // Tokens get the app’s current permission.
  if (permission) await backend.apps.update(appId, { permissions: permission });
  const issued = await backend.tokens.issueOAuth1({ appId, userId });
  if (permission && before) await backend.apps.update(appId, { permissions: before });
  return {
    appKey: APP.api_key,
    appSecret: APP.api_secret,
    accessToken: issued.accessToken,
    accessSecret: issued.accessTokenSecret,
  };
}

async function userIdOf({ backend }: Pick<Pipit, 'backend'>, username: string): Promise<UserId> {
  const user = await findUserByUsername(backend.engine, username);
  if (!user) throw new Error(`no user ${username} in the test's world`);
  return user.id;
}

function bearerHeader(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function bodyOf({ headers, body }: InjectedAnswer): unknown {
  if (body === '') return undefined;
  return String(headers['content-type']).includes('json') ? JSON.parse(body) : body;
}
