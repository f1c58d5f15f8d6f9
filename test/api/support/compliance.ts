import { expect, onTestFinished } from 'vitest';
import { DOWNLOAD_WINDOW_MS } from '../../../src/core/compliance.js';
import type { UserId } from '../../../src/core/ids.js';
import { deleteAccount } from '../../../src/services/accounts/delete-account.js';
import { findUser, setProtected, setStanding } from '../../../src/stores/users.js';
import { startTestApp, TEST_URL, type TestAnswer, type TestApp } from '../../support/app.js';
import type { TestDatabaseUrl } from '../../support/test-database.js';
import { standardWorld } from '../../support/world.js';
import { servedConformity } from './conformity.js';

export const NOW_MS = Date.UTC(2022, 9, 7, 22, 42, 12);
export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The token of a second app. */
export const OTHER_BEARER = 'bearer-of-the-other-app';

/** A compliance job in a response. */
export interface WireJob {
  readonly id: string;
  readonly type: 'tweets' | 'users';
  readonly status: string;
  readonly upload_url: string;
  readonly download_url: string;
}

type Request = Parameters<TestApp['request']>[0];

/** A server with two apps and a clock that the test controls. */
export interface ComplianceServer {
  readonly app: TestApp;
  /** Send app-only requests; each response is checked against the OpenAPI document. */
  get(path: string, bearer?: string): Promise<TestAnswer>;
  post(path: string, body: unknown, bearer?: string): Promise<TestAnswer>;
  /** Creates a job; fails the test if it is refused. */
  create(type: 'tweets' | 'users', options?: object): Promise<WireJob>;
  status(job: WireJob): Promise<string>;
  /** Sends a request to one of the links, without credentials. */
  send(url: string, request?: Partial<Omit<Request, 'url'>>): Promise<TestAnswer>;
  /** Uploads a file in one request; fails the test if it is refused. */
  upload(job: WireJob, lines: readonly string[]): Promise<void>;
  /** Downloads the results; fails the test if there are none. */
  results(job: WireJob): Promise<Record<string, string>[]>;
  /** Runs the due jobs. */
  runJobs(): Promise<void>;
  advance(durationMs: number): void;
  suspend(userId: string): Promise<void>;
  protect(userId: string): Promise<void>;
  deleteAccount(userId: string): Promise<void>;
}

/** Starts a server that is closed with the test. */
export async function startComplianceServer(
  ...options: Parameters<typeof startServer>
): Promise<ComplianceServer> {
  const server = await startServer(...options);
  onTestFinished(server.app.close);
  return server;
}

/**
 * Starts a server for several tests, to be closed in `afterAll`. `open` returns it after all earlier jobs have
 * expired.
 */
export async function shareComplianceServer(): Promise<ComplianceServer & { open(): ComplianceServer }> {
  const server = await startServer();
  const open = (): ComplianceServer => {
    server.advance(DOWNLOAD_WINDOW_MS);
    return server;
  };
  return { ...server, open };
}

/** `database` is shared by several servers; the first loads the world. */
async function startServer(
  world: Readonly<Record<string, readonly unknown[]>> = {},
  database?: TestDatabaseUrl,
  isFirst = true,
): Promise<ComplianceServer> {
  let nowMs = NOW_MS;
  const options = { clock: () => nowMs, database };
  const app = await startTestApp({ ...options, world: isFirst ? worldWith(world) : null });
  const check = await servedConformity(app);
  const checked = async (method: 'GET' | 'POST', url: string, answer: Promise<TestAnswer>) => {
    const { status, body } = await answer;
    check(method, url, status, body);
    return answer;
  };
  const { backend, jobs } = app.pipit;
  const get: ComplianceServer['get'] = (path, bearer = app.bearer) =>
    checked('GET', path, app.get(path, bearer));
  const post: ComplianceServer['post'] = (path, body, bearer = app.bearer) =>
    checked('POST', path, app.post(path, bearer, body));
  const send: ComplianceServer['send'] = (url, request = {}) => {
    expect(url.startsWith(`${TEST_URL}/`)).toBe(true);
    return app.request({ method: 'GET', ...request, url: url.slice(TEST_URL.length) });
  };
  return {
    app,
    get,
    post,
    create: async (type, more = {}) => {
      const answer = await post('/2/compliance/jobs', { type, ...more });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body.data as WireJob;
    },
    status: async (job) => (await get(`/2/compliance/jobs/${job.id}`)).body.data.status as string,
    send,
    upload: async (job, lines) => {
      const headers = { 'content-type': 'text/plain' };
      const answer = await send(job.upload_url, { method: 'PUT', headers, payload: lines.join('\n') });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    },
    results: async (job) => {
      const answer = await send(job.download_url);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return String(answer.body ?? '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, string>);
    },
    runJobs: () => jobs.worker.runDue(),
    advance: (durationMs) => {
      nowMs += durationMs;
    },
    suspend: async (userId) => {
      await backend.engine.tx('suspend', (tx) => setStanding(tx, BigInt(userId) as UserId, 'suspended'));
    },
    protect: async (userId) => {
      await backend.engine.tx('protect', (tx) => setProtected(tx, BigInt(userId) as UserId, true));
    },
    deleteAccount: async (userId) => {
      const user = await findUser(backend.engine, BigInt(userId) as UserId);
      if (!user) throw new Error(`no user ${userId}`);
      await deleteAccount(backend, user);
    },
  };
}

function worldWith(more: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown[]> {
  const world = standardWorld();
  const [app] = world.apps as [Record<string, unknown>];
  const other = {
    id: '2002',
    api_key: 'other-key',
    client_id: 'other-client',
    bearer_token: OTHER_BEARER,
    name: 'other app',
  };
  world.apps = [app, { ...app, ...other }];
  for (const [section, entries] of Object.entries(more)) {
    world[section] = [...(world[section] ?? []), ...entries];
  }
  return world;
}
