import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { endpoints } from '../../src/api/route-table.js';
import { CONTEXTS, type Context, type Scope } from '../../src/core/access.js';
import { signHeader } from '../auth/support/sign.js';
import {
  startTestApp,
  TEST_URL,
  type OAuth1Credentials,
  type TestAnswer,
  type TestApp,
} from '../support/app.js';
import { readEndpointPage } from './support/endpoint-page.js';

/**
 * Every endpoint with every type of credential (docs/api/authentication.md#credentials,
 * docs/api/authentication.md#scopes).
 */

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

/** Calls an endpoint with one type of credential; OAuth 2.0 gets exactly the scopes of the endpoint. */
async function call(endpoint: (typeof guarded)[number], kind: Context): Promise<TestAnswer> {
  const { method, path, access, streams } = endpoint;
  // A stream has no end: the query is refused after the credentials.
  const url = path.replace(/\{[^}]+\}/g, '1') + (streams === true ? '?backfill_minutes=6' : '');
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

/** Reports whether a response refuses the credentials. */
function isRefused({ status, body }: TestAnswer): boolean {
  if (status === 401) return true;
  if (status !== 403) return false;
  return body.title === undefined
    ? [220, 261].includes(body.errors[0].code)
    : /unsupported-authentication|oauth1-permissions/.test(body.type) || body.detail === 'Forbidden';
}

test.each(guarded.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s accepts exactly its documented types of credentials, with exactly its scopes',
  async (_name, endpoint) => {
    const accepted = [];
    for (const kind of CONTEXTS) if (!isRefused(await call(endpoint, kind))) accepted.push(kind);
    expect(accepted).toEqual(CONTEXTS.filter((kind) => endpoint.access.contexts.includes(kind)));
  },
);

const CREDENTIALS: Readonly<Record<Context, string>> = {
  app: 'app',
  oauth1: 'OAuth 1.0a',
  oauth2: 'OAuth 2.0',
};

test('the endpoint reference lists the credentials and scopes of each endpoint', () => {
  const documented = readEndpointPage();
  const listed = endpoints.filter(({ path }) => path !== '/2/openapi.json');
  expect([...documented.keys()].sort()).toEqual(listed.map((endpoint) => nameOf(endpoint)).sort());
  for (const endpoint of guarded) {
    const { credentials, scopes } = documented.get(nameOf(endpoint)) ?? {};
    expect([nameOf(endpoint), credentials]).toEqual([
      nameOf(endpoint),
      endpoint.access.contexts.map((context) => CREDENTIALS[context]),
    ]);
    expect([nameOf(endpoint), scopes]).toEqual([nameOf(endpoint), endpoint.access.scopes ?? []]);
  }
});
