import { onTestFinished } from 'vitest';
import type { UserId } from '../../../src/core/ids.js';
import { SCOPES } from '../../../src/core/access.js';
import { firstIdAt } from '../../../src/core/snowflake.js';
import { deleteAccount } from '../../../src/services/accounts/delete-account.js';
import { findUser, setStanding } from '../../../src/stores/users.js';
import { signHeader } from '../../auth/support/sign.js';
import { startTestApp, TEST_URL, type TestAnswer } from '../../support/app.js';
import { servedConformity } from './conformity.js';
import { importMany, type ManyPost } from './many-posts.js';

/** The time at the start of every network. */
export const NOW = '2022-10-07T22:42:12.000Z';
const NOW_MS = Date.parse(NOW);

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The host of status links. */
export const PUBLIC_URL = TEST_URL;
export const APP_NAME = 'Birdwatch';

/** The users of every network. */
export const ID = {
  alice: '11',
  bob: '12',
  carol: '13',
  dave: '14',
  erin: '15',
  frank: '16',
} as const;
export type Name = keyof typeof ID;
const NAMES = Object.keys(ID) as Name[];

/** Returns the id of a post in a world file: ids increase with `n`, one a minute, within the last two days. */
export function postId(n: number): string {
  return String(firstIdAt(NOW_MS - 2 * DAY_MS + n * MINUTE_MS));
}

/** Returns the creation time of the post with that id. */
export function postTime(n: number): string {
  return new Date(NOW_MS - 2 * DAY_MS + n * MINUTE_MS).toISOString();
}

type Entry = Readonly<Record<string, unknown>>;

/** Sections of a world file; `users` changes or extends the users of `ID` by username. */
export interface World {
  readonly users?: readonly Entry[];
  readonly posts?: readonly Entry[];
  readonly follows?: readonly Entry[];
  readonly blocks?: readonly Entry[];
  readonly mutes?: readonly Entry[];
  readonly likes?: readonly Entry[];
  readonly bookmarks?: readonly Entry[];
  readonly media?: readonly Entry[];
  readonly places?: readonly Entry[];
  readonly lists?: readonly Entry[];
  readonly spaces?: readonly Entry[];
  readonly communities?: readonly Entry[];
  readonly conversations?: readonly Entry[];
}

type NetworkPost = Pick<ManyPost, 'id' | 'inReplyTo'> & { readonly author: Name; readonly mentioned?: Name };

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Sends requests with one set of credentials; every response is checked against the OpenAPI document. */
export interface Caller {
  get(path: string): Promise<TestAnswer>;
  /** A string is sent unchanged. */
  post(path: string, body: unknown): Promise<TestAnswer>;
  put(path: string, body: unknown): Promise<TestAnswer>;
  delete(path: string): Promise<TestAnswer>;
}

export interface Network {
  /** App-only. */
  readonly app: Caller;
  /** App-only, for an app on the research track. */
  readonly research: Caller;
  as(name: Name): Caller;
  /** The same with OAuth 1.0a; a body that is a string is sent as a form. */
  signed(name: Name): Caller;
  /** Creates a post and returns its id; throws if it is refused. */
  posted(name: Name, body: string | object): Promise<string>;
  /** Advances the clock and runs what is due. */
  advance(durationMs: number): Promise<void>;
  suspend(name: Name): Promise<void>;
  deleteAccount(name: Name): Promise<void>;
  /** Loads another world file into the running server. */
  add(world: World): Promise<void>;
  /** Imports posts, which search does not find: thousands take a fraction of the time of a world file. */
  addMany(posts: readonly NetworkPost[]): Promise<void>;
  /** Runs the due jobs. */
  runJobs(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a network that is closed with the test. */
export async function startNetwork(world: World = {}): Promise<Network> {
  const network = await openNetwork(world);
  onTestFinished(network.close);
  return network;
}

/** Starts a network for several read-only tests, to be closed in `afterAll`. */
export async function openNetwork(world: World = {}): Promise<Network> {
  let nowMs = NOW_MS;
  const app = await startTestApp({ world: documentOf(world), clock: () => nowMs });
  const check = await servedConformity(app);
  const callerWith = (authorize: Authorize, type: string): Caller => {
    const send = async (method: Method, url: string, body?: unknown): Promise<TestAnswer> => {
      const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const contentType = payload === undefined ? undefined : { 'content-type': type };
      const headers = { authorization: authorize(method, url, payload), ...contentType };
      const answer = await app.request({ method, url, headers, payload });
      check(method, url, answer.status, answer.body);
      return answer;
    };
    return {
      get: (path) => send('GET', path),
      post: (path, body) => send('POST', path, body),
      put: (path, body) => send('PUT', path, body),
      delete: (path) => send('DELETE', path),
    };
  };
  const caller = (token: string): Caller => callerWith(() => `Bearer ${token}`, 'application/json');
  const as = (name: Name): Caller => caller(tokenOf(name));
  let signatures = 0;
  const signed = (name: Name): Caller => {
    const sign: Authorize = (method, url, form) =>
      signHeader({
        method,
        url: TEST_URL + url,
        form,
        consumerKey: apiKeyOf(APP_ID),
        consumerSecret: apiSecretOf(APP_ID),
        token: signingTokenOf(name),
        tokenSecret: `secret-of-${name}`,
        timestampSeconds: Math.floor(nowMs / 1000),
        nonce: `signature${(signatures += 1)}`,
      });
    return callerWith(sign, 'application/x-www-form-urlencoded');
  };
  return {
    app: caller(BEARER),
    research: caller(RESEARCH_BEARER),
    as,
    signed,
    posted: async (name, body) => {
      const answer = await as(name).post('/2/tweets', typeof body === 'string' ? { text: body } : body);
      if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body.data.id as string;
    },
    advance: async (durationMs) => {
      nowMs += durationMs;
    },
    suspend: async (name) => {
      await app.pipit.backend.engine.tx('suspend', (tx) =>
        setStanding(tx, BigInt(ID[name]) as UserId, 'suspended'),
      );
    },
    deleteAccount: async (name) => {
      const { backend } = app.pipit;
      const user = await findUser(backend.engine, BigInt(ID[name]) as UserId);
      if (user) await deleteAccount(backend, user);
    },
    add: (more) => app.load(more),
    addMany: (posts) =>
      importMany(
        app,
        posts.map(({ author, mentioned, ...post }) => ({
          ...post,
          authorId: ID[author],
          mentioned: mentioned && { id: ID[mentioned], username: mentioned },
        })),
      ),
    runJobs: async () => {
      await app.pipit.jobs.fanOut.runDue();
      await app.pipit.jobs.worker.runDue();
    },
    close: app.close,
  };
}

const BEARER = 'bearer-of-the-app';
const RESEARCH_BEARER = 'bearer-of-the-research-app';
const APP_ID = '900';

/** Returns the header that authenticates a request. */
type Authorize = (method: Method, url: string, payload: string | undefined) => string;

const apiKeyOf = (appId: unknown): string => `api-key-of-${String(appId)}`;
const apiSecretOf = (appId: unknown): string => `api-secret-of-${String(appId)}`;
const signingTokenOf = (name: Name): string => `${ID[name]}-signing`;

function tokenOf(name: string): string {
  return `token-of-${name}`;
}

function documentOf(world: World): Record<string, unknown> {
  const users = new Map<unknown, Entry>(
    NAMES.map((name) => [name, { id: ID[name], username: name, name: `${name} the bird` }]),
  );
  for (const user of world.users ?? []) users.set(user.username, { ...users.get(user.username), ...user });
  return {
    ...world,
    users: [...users.values()],
    apps: [
      appEntry({ id: APP_ID, name: APP_NAME, track: 'standard', bearer_token: BEARER }),
      appEntry({ id: '901', name: 'Archive', track: 'academic_research', bearer_token: RESEARCH_BEARER }),
    ],
    tokens: NAMES.flatMap((name) => [
      { app: APP_ID, user: name, kind: 'oauth2', access_token: tokenOf(name), scopes: SCOPES },
      {
        app: APP_ID,
        user: name,
        kind: 'oauth1',
        access_token: signingTokenOf(name),
        access_token_secret: `secret-of-${name}`,
      },
    ]),
  };
}

function appEntry(app: Entry): Entry {
  return {
    owner: 'alice',
    access_level: 'elevated',
    permissions: 'read_write_dm',
    api_key: apiKeyOf(app.id),
    api_secret: apiSecretOf(app.id),
    client_id: `client-of-${String(app.id)}`,
    redirect_uris: [],
    ...app,
  };
}
