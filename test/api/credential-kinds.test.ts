import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { endpoints } from '../../src/api/route-table.js';
import { CONTEXTS, type Context } from '../../src/core/access.js';
import type { Scope } from '../../src/core/scope.js';
import { signHeader } from '../auth/support/sign.js';
import {
  startTestApp,
  TEST_URL,
  type OAuth1Credentials,
  type TestAnswer,
  type TestApp,
} from '../support/app.js';

/** Every endpoint with every kind of credential (specification 5; reference/auth.md 5 and 6). */

const nameOf = ({ method, path }: AnyEndpoint): string => `${method} ${path}`;
const guarded = endpoints.flatMap(({ access, ...endpoint }) =>
  access === 'public' ? [] : [{ ...endpoint, access } as AnyEndpoint & { access: typeof access }],
);

let app: TestApp;
let signing: OAuth1Credentials;

beforeAll(async () => {
  app = await startTestApp();
  signing = await app.oauth1('alice');
});
afterAll(() => app.close());

/** With a credential of the kind, and for OAuth 2.0 with the endpoint's own scopes and no other. */
async function call({ method, path, access }: (typeof guarded)[number], kind: Context): Promise<TestAnswer> {
  const url = path.replace(/\{[^}]+\}/g, '1');
  const scopes: readonly Scope[] = access.scopes ?? ['tweet.read', 'users.read'];
  const authorization = {
    app: async () => `Bearer ${app.bearer}`,
    oauth2: async () => `Bearer ${await app.as('alice', scopes)}`,
    oauth1: async () =>
      signHeader({
        method,
        url: TEST_URL + url,
        consumerKey: signing.appKey,
        consumerSecret: signing.appSecret,
        token: signing.accessToken,
        tokenSecret: signing.accessSecret,
        timestampSeconds: Math.floor(Date.now() / 1000),
        nonce: randomUUID(),
      }),
  };
  return app.request({ method, url, headers: { authorization: await authorization[kind]() } });
}

/** Whether an answer says that it is a matter of the credentials. */
function isRefused({ status, body }: TestAnswer): boolean {
  if (status === 401) return true;
  if (status !== 403) return false;
  return body.title === undefined
    ? [220, 261].includes(body.errors[0].code)
    : /unsupported-authentication|oauth1-permissions/.test(body.type) || body.detail === 'Forbidden';
}

test.each(guarded.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s takes the kinds of credentials that it names, with no more than its scopes, and no other',
  async (_name, endpoint) => {
    const taken = [];
    for (const kind of CONTEXTS) if (!isRefused(await call(endpoint, kind))) taken.push(kind);
    expect(taken).toEqual(CONTEXTS.filter((kind) => endpoint.access.contexts.includes(kind)));
  },
);

const REFERENCE = fileURLToPath(new URL('../../../shared/reference/endpoints.md', import.meta.url));

/** The short names of reference/endpoints.md 0.1. */
const SHORT: Readonly<Record<string, Scope>> = {
  tr: 'tweet.read',
  tw: 'tweet.write',
  tm: 'tweet.moderate.write',
  ur: 'users.read',
  fr: 'follows.read',
  fw: 'follows.write',
  lr: 'like.read',
  lw: 'like.write',
  Lr: 'list.read',
  Lw: 'list.write',
  br: 'block.read',
  bw: 'block.write',
  mr: 'mute.read',
  mw: 'mute.write',
  kr: 'bookmark.read',
  kw: 'bookmark.write',
  sr: 'space.read',
  dr: 'dm.read',
  dw: 'dm.write',
};

describe.skipIf(!existsSync(REFERENCE))(
  'scopes (skipped where ../shared/reference/endpoints.md is absent)',
  () => {
    test('are those of the tables, endpoint by endpoint', () => {
      const written = readScopes();
      expect(written.size).toBeGreaterThan(60);
      const declared = new Map(guarded.map((endpoint) => [nameOf(endpoint), endpoint.access.scopes ?? []]));
      const served = [...written].filter(([name]) => declared.has(name));
      expect(served.length).toBeGreaterThan(60);
      for (const [name, scopes] of served) {
        expect([name, ...(declared.get(name) ?? [])].sort()).toEqual([name, ...scopes].sort());
      }
    });
  },
);

/** The scopes in the second cell of each row that begins with a method and a path; `same` is that of the row above. */
function readScopes(): Map<string, readonly Scope[]> {
  const found = new Map<string, readonly Scope[]>();
  let above: readonly Scope[] | undefined;
  for (const line of readFileSync(REFERENCE, 'utf8').split('\n')) {
    const [, name, cell = ''] = /^\| ((?:GET|POST|PUT|DELETE) \/2\/[^ |]+) \| ([^|]*)\|/.exec(line) ?? [];
    if (name === undefined) continue;
    const listed = /\b2\[([^\]]+)\]/.exec(cell)?.[1]?.split(' ');
    if (listed) above = listed.map((each) => SHORT[each] ?? (each as Scope));
    else if (cell.trim() !== 'same') above = undefined;
    if (above) found.set(name, above);
  }
  return found;
}
