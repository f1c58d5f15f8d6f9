import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/core/access.js';
import { firstIdAt } from '../../src/core/snowflake.js';
import { pythonWith } from '../support/python.js';
import { APP, POSTS, standardWorld, USERS } from '../support/world.js';
import { serveWorld, type WireServer } from './support/wire-server.js';

/**
 * Every method of the unmodified Client of tweepy against a running server, in the order of
 * `tweepy_every_method.py`; and docs/clients.md, which lists the requests of each.
 */

const SCRIPT = join(import.meta.dirname, 'tweepy_every_method.py');
const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'clients.md');

const python = pythonWith('tweepy');

/** Recent search ends half a minute ago, and messages older than 30 days are not listed. */
const YESTERDAY_MS = Date.now() - 86_400_000;
const YESTERDAY_POST = String(firstIdAt(YESTERDAY_MS));
const LIST = '1500000000000000101';
const SPACE = '1DXxyRYNejbKM';
const ALICE_OAUTH2 = 'alice-oauth2-token';
const TOKENS = {
  alice: { accessToken: `${USERS.alice}-every`, accessSecret: 'alice-access-secret' },
  bob: { accessToken: `${USERS.bob}-every`, accessSecret: 'bob-access-secret' },
} as const;

function world(): object {
  const { users = [], follows = [], posts = [], ...others } = standardWorld();
  return {
    ...others,
    users: users.map((user) => ({ ...(user as object), receives_dms: 'everyone' })),
    follows: [...follows, { from: 'alice', to: 'bob' }],
    posts: [...posts, { id: YESTERDAY_POST, author: 'alice', text: 'Two herons' }],
    lists: [{ id: LIST, owner: 'alice', name: 'Pond', members: ['bob'], followers: ['dave'] }],
    spaces: [
      {
        id: SPACE,
        creator: 'alice',
        title: 'All about #birds',
        state: 'live',
        started_at: '2022-10-02T00:00:00Z',
        buyers: ['bob'],
        posts: [POSTS.hello],
      },
    ],
    conversations: [
      {
        participants: ['alice', 'bob'],
        messages: [
          { from: 'bob', text: 'Written in the world file', at: new Date(YESTERDAY_MS).toISOString() },
        ],
      },
    ],
    tokens: [
      ...Object.entries(TOKENS).map(([user, keys]) => ({
        app: APP.id,
        user,
        kind: 'oauth1',
        access_token: keys.accessToken,
        access_token_secret: keys.accessSecret,
      })),
      { app: APP.id, user: 'alice', kind: 'oauth2', access_token: ALICE_OAUTH2, scopes: SCOPES },
    ],
  };
}

interface Outcome {
  readonly fault: string | null;
  /** Method and path of each request. */
  readonly requested: readonly string[];
}

interface Report {
  readonly methods: readonly string[];
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

/** The rows of the table: the name of each method, its endpoints and its tests. */
const rows = readFileSync(PAGE, 'utf8')
  .split('\n')
  .filter((line) => /^\| `[a-z_]+`/.test(line))
  .map((line) => {
    const [, name = '', endpoints = '', , tests = ''] = line.split('|');
    return {
      name: name.trim().replaceAll('`', ''),
      paths: endpoints.match(/[A-Z]+ \/2\/[^`]+/g) ?? [],
      tests: [...tests.matchAll(/[a-z-]+/g)].map(String),
    };
  });
const documented = new Map(rows.map(({ name, paths }) => [name, paths]));

/** Returns the Python script of a test. */
function scriptOf(test: string): string {
  const file = test === 'tweepy' ? 'tweepy_client' : test.replaceAll('-', '_');
  return readFileSync(join(import.meta.dirname, `${file}.py`), 'utf8');
}

test('docs/clients.md lists for every method of tweepy exactly the tests that call it', () => {
  for (const name of ['tweepy-every-method', 'tweepy', 'tweepy-media']) {
    const script = scriptOf(name);
    const called = rows.map((row) => row.name).filter((method) => new RegExp(`\\.${method}\\b`).test(script));
    expect(rows.filter(({ tests }) => tests.includes(name)).map((row) => row.name)).toEqual(called);
  }
});

let server: WireServer | undefined;
let report: Report = { methods: [], outcomes: {} };

describe.skipIf(python === undefined)('tweepy (skipped where `import tweepy` fails)', () => {
  beforeAll(async () => {
    server = await serveWorld(world());
    report = await runChecks(String(python), server.port);
  });

  afterAll(() => server?.close());

  test.for([...documented])('Client.%s succeeds and requests the listed endpoints', ([name, paths]) => {
    const outcome = report.outcomes[name];
    expect(outcome?.fault).toBeNull();
    for (const path of paths) {
      const pattern = new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
      expect(outcome?.requested).toContainEqual(expect.stringMatching(pattern));
    }
  });

  test('every method is tested and listed', () => {
    expect(Object.keys(report.outcomes).sort()).toEqual(report.methods);
    expect([...documented.keys()].sort()).toEqual(report.methods);
  });
});

async function runChecks(interpreter: string, port: number): Promise<Report> {
  const script = spawn(interpreter, ['-W', 'ignore', SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  script.stdin.end(
    JSON.stringify({
      port,
      apiKey: APP.api_key,
      apiSecret: APP.api_secret,
      bearerToken: APP.bearer_token,
      users: USERS,
      posts: { ...POSTS, yesterday: YESTERDAY_POST },
      list: LIST,
      space: SPACE,
      tokens: TOKENS,
      aliceOAuth2: ALICE_OAUTH2,
    }),
  );
  return JSON.parse(await text(script.stdout)) as Report;
}
