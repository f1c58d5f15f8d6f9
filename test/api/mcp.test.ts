import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyText } from '../support/any-text.js';
import { readArguments } from '../../src/api/call-arguments.js';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { exampleOf, exampleUrl } from '../../src/api/reference/examples.js';
import { endpoints } from '../../src/api/route-table.js';
import type { App } from '../../src/api/app.js';
import { pathParameters } from '../../src/http/router.js';
import { startTestApp, TEST_URL, type TestApp } from '../support/app.js';
import { inject } from '../support/inject.js';
import type { LooseJson } from '../support/loose-json.js';
import { connectMcp } from '../support/mcp-client.js';
import { rounds } from '../support/rounds.js';
import { POSTS, USERS } from '../support/world.js';
import { NOW_MS, as, buildFakeApp } from './fake-catalogue.js';

/** `/mcp` as bytes over HTTP, and its tools beside the requests that they stand for (docs/api/mcp.md). */

const HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': '2025-06-18',
};

async function send(
  app: Pick<App, 'handle'>,
  headers: Readonly<Record<string, string>>,
  message: string | Buffer | object,
) {
  const payload = typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message);
  const answer = await inject(app, {
    method: 'POST',
    url: '/mcp',
    headers: { ...HEADERS, ...headers },
    payload,
  });
  const isJson = String(answer.headers['content-type']).includes('json');
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: (isJson ? JSON.parse(answer.body) : answer.body) as LooseJson,
  };
}

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

async function callTool(
  app: Pick<App, 'handle'>,
  headers: Readonly<Record<string, string>>,
  name: string,
  sent: object | string,
) {
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${text}}}`;
  const { status, body } = await send(app, headers, message);
  expect(status).toBe(200);
  const { result, error } = body;
  const sentBack = result?.content[0]?.text;
  return {
    error,
    isError: result?.isError === true,
    status: result?._meta.status,
    headers: result?._meta.headers,
    body: (sentBack === undefined ? undefined : JSON.parse(sentBack)) as LooseJson,
  };
}

describe('a small catalogue', () => {
  const fake = buildFakeApp();
  const { app, logged } = fake;
  afterAll(() => app.close());

  const toolNames = async (name: string): Promise<string[]> => {
    const { body } = await send(app, as(name), rpc('tools/list'));
    return body.result.tools.map((tool: { name: string }) => tool.name);
  };

  test.each([
    ['app', ['getThing', 'findThings', 'getArchive']],
    ['standard-app', ['getThing', 'findThings']],
    ['user', ['getThing', 'createThing', 'deleteThing']],
    ['reader', ['getThing']],
    ['user-of-reading-app', ['getThing']],
    ['signed', ['getThing', 'createThing', 'deleteThing']],
    ['signed-reader', ['getThing']],
  ])('shows the %s what it may call, but no public, older or streamed endpoint', async (name, names) => {
    expect(await toolNames(name)).toEqual(names);
  });

  test('refuses by the order of checks: permission, limit, input, own id', async () => {
    const refused = async (name: string, sent: object) => {
      const { isError, status, body } = await callTool(app, as(name), 'deleteThing', sent);
      return [isError, status, body.errors?.[0].message ?? body.detail];
    };
    const valid = { id: '7', thing_id: '1' };
    expect(await refused('reader', {})).toEqual([true, 403, 'Forbidden']);
    expect(await refused('app', valid)).toMatchObject([
      true,
      403,
      expect.stringContaining('Application-Only'),
    ]);
    expect(await refused('user', { id: '8' })).toMatchObject([
      true,
      400,
      expect.stringContaining('thing_id'),
    ]);
    expect(await refused('user', { ...valid, id: '8' })).toMatchObject([
      true,
      400,
      expect.stringContaining('[7]'),
    ]);
    expect(await refused('user', { ...valid, thing_id: '404' })).toMatchObject([
      true,
      404,
      expect.any(String),
    ]);
    for (let calls = 3; calls < 50; calls += 1) await callTool(app, as('user'), 'deleteThing', valid);
    expect(await refused('user', { id: '8' })).toEqual([true, 429, 'Too Many Requests']);
    const limited = await callTool(app, as('user'), 'deleteThing', valid);
    expect(limited.headers).toMatchObject({ 'x-rate-limit-remaining': '0', 'retry-after': '900' });
    const request = { method: 'DELETE', url: '/2/users/7/things/1', headers: as('user') } as const;
    expect((await inject(app, request)).statusCode).toBe(429);
  });

  test('keeps every digit of bare numbers, in paths, queries and bodies', async () => {
    const id = '1346889436626259968';
    const got = await callTool(app, as('user'), 'getThing', `{"id":${id}}`);
    expect(got.body.data.id).toBe(id);
    const found = await callTool(app, as('app'), 'findThings', `{"ids":[${id},"12"],"max_results":20}`);
    expect(found.body.data).toEqual([{ id }, { id: '12' }]);
    expect(found.body.echo.max_results).toBe(20);
    const made = await callTool(app, as('user'), 'createThing', `{"owner_id":${id},"media_ids":[${id}]}`);
    expect(made).toMatchObject({ status: 201, body: { data: { owner_id: id, media: { media_ids: [id] } } } });
  });

  test('counts returned posts toward the cap, and refuses above it', async () => {
    const { app: capped, cappedIds } = buildFakeApp({ capLeft: 1 });
    const find = () => callTool(capped, as('app'), 'findThings', { ids: ['5'] });
    expect((await find()).isError).toBe(false);
    expect(cappedIds).toEqual(['5']);
    expect(await find()).toMatchObject({ isError: true, status: 429, body: { title: 'UsageCapExceeded' } });
    await capped.close();
  });

  test.each([
    ['{', 400, -32_700],
    ['', 400, -32_700],
    [Buffer.from([0x22, 0xff, 0x22]), 400, -32_700],
    ['['.repeat(100_000), 400, -32_700],
    [`{"a":${'['.repeat(30)}${']'.repeat(30)}}`, 400, -32_700],
    ['[]', 400, -32_600],
    [
      [rpc('ping'), { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
      400,
      -32_600,
    ],
    ['null', 400, -32_700],
    ['"text"', 400, -32_700],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32_700],
    [{ id: 1, method: 'ping' }, 400, -32_700],
    [rpc('tools/call'), 200, -32_603],
    [rpc('tools/call', { name: 5 }), 200, -32_603],
    [rpc('tools/call', { name: 'getThing', arguments: [] }), 200, -32_603],
    [rpc('tools/call', { name: 'x'.repeat(100_000) }), 200, -32_602],
    [rpc('tools/call', { name: '__proto__', arguments: {} }), 200, -32_602],
    [rpc('resources/list'), 200, -32_601],
    [rpc('constructor'), 200, -32_601],
  ])('answers hostile bytes %# with an error of the protocol', async (message, status, code) => {
    const before = logged.length;
    const answer = await send(app, as('user'), message);
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(code);
    expect(JSON.stringify(answer.body).length).toBeLessThan(4000);
    expect(logged).toHaveLength(before);
  });

  test('answers any arguments with a result and no fault of the server', async () => {
    const before = logged.length;
    const names = [
      'id',
      'ids',
      'query',
      'tweet.fields',
      'tweet_fields',
      'text',
      'owner_id',
      'media',
      '__proto__',
    ];
    const values = fc.oneof(anyText(), fc.jsonValue({ maxDepth: 3 }), fc.constant('\ud800'));
    const sent = fc.dictionary(fc.oneof(fc.constantFrom(...names), anyText()), values);
    const tool = fc.constantFrom('getThing', 'findThings', 'createThing', 'deleteThing');
    const { app: free, logged: faults } = buildFakeApp({ limits: 'off' });
    await fc.assert(
      fc.asyncProperty(tool, fc.constantFrom('user', 'app'), sent, async (name, sender, each) => {
        const { error, status } = await callTool(free, as(sender), name, each);
        expect(error).toBeUndefined();
        expect([200, 201, 400, 403]).toContain(status);
      }),
      { numRuns: rounds(200) },
    );
    expect(faults).toEqual([]);
    expect(logged).toHaveLength(before);
    await free.close();
  });

  test('refuses half a surrogate pair as a query does bytes that are no text', async () => {
    const { body } = await callTool(app, as('app'), 'findThings', '{"ids":["5"],"query":"\\ud800"}');
    expect(body.errors[0].message).toContain('`query` query parameter value');
  });

  test.each([
    ['origin of another site', { origin: 'https://evil.example' }, 403],
    ['opaque origin', { origin: 'null' }, 403],
    ['own origin', { origin: TEST_URL }, 200],
    ['type that is no JSON', { 'content-type': 'text/plain' }, 415],
    ['accept header without streams', { accept: 'application/json' }, 406],
    ['unknown protocol version', { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['session of another server', { 'mcp-session-id': 'a-session' }, 200],
  ])('a request with an %s is answered %s', async (_, headers, status) => {
    expect((await send(app, { ...as('user'), ...headers }, rpc('ping'))).status).toBe(status);
  });

  test('a body above the bound is refused', async () => {
    const text = 'x'.repeat(1024 * 1024);
    const { status, body } = await send(
      app,
      as('user'),
      rpc('tools/call', { name: 'createThing', arguments: { text } }),
    );
    expect([status, body.title]).toEqual([413, 'Payload Too Large']);
  });

  test.each(['GET', 'DELETE', 'PUT'] as const)(
    '%s has no use without streams and sessions',
    async (method) => {
      const { statusCode, headers } = await inject(app, { method, url: '/mcp', headers: as('user') });
      expect([statusCode, headers['allow']]).toEqual([405, 'POST']);
    },
  );

  test('a message that is no request is accepted', async () => {
    const { status, body } = await send(app, as('user'), {
      jsonrpc: '2.0',
      method: 'notifications/initialized',
    });
    expect([status, body]).toEqual([202, '']);
  });

  test('the answer says what the sender may do', async () => {
    for (const [name, level] of [
      ['user', 'read-write'],
      ['reader', 'read'],
    ] as const) {
      expect((await send(app, as(name), rpc('ping'))).headers['x-access-level']).toBe(level);
    }
  });

  test('without credentials the answer names the metadata', async () => {
    for (const headers of [{}, as('nobody')]) {
      const { status, body, headers: sent } = await send(app, headers, rpc('initialize'));
      expect(status).toBe(401);
      expect(body).toMatchObject({ title: 'Unauthorized', status: 401 });
      expect(sent['www-authenticate']).toBe(
        `Bearer resource_metadata="${TEST_URL}/.well-known/oauth-protected-resource/mcp"`,
      );
    }
  });
});

describe('the catalogue', () => {
  let app: TestApp;
  const lines: LooseJson[] = [];
  beforeAll(async () => {
    app = await startTestApp({
      clock: () => NOW_MS,
      flags: { requestLog: 'all' },
      requestLog: (line) => void lines.push(line),
    });
  });
  afterAll(() => app.close());

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  test('has schemas that compile and accept the example of each endpoint', async () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, keywords: ['example'] });
    addFormats.default(ajv);
    const tools = await Promise.all(
      [app.bearer, await app.as('alice')].map(async (token) => {
        const { body } = await send(app.pipit.app, bearer(token), rpc('tools/list'));
        return body.result.tools as { name: string; inputSchema: object }[];
      }),
    );
    const shown = new Map(tools.flat().map((tool) => [tool.name, tool]));
    expect(shown.size).toBeGreaterThan(70);
    for (const [name, { inputSchema }] of shown) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      const endpoint = endpoints.find(({ operationId }) => operationId === name);
      if (!endpoint) throw new Error(`no endpoint ${name}`);
      const check = ajv.compile(inputSchema);
      check(exampleArguments(endpoint));
      expect([name, check.errors ?? []]).toEqual([name, []]);
    }
  });

  test('answers reads as their requests', async () => {
    const token = await app.as('alice');
    const ids = { user: USERS.alice, post: POSTS.hello };
    let compared = 0;
    for (const endpoint of endpoints.filter(
      ({ method, access }) => method === 'GET' && access !== 'public',
    )) {
      for (const credential of [app.bearer, token]) {
        const sent = withKnownIds(exampleArguments(endpoint), ids);
        const { error, status, body } = await callTool(
          app.pipit.app,
          bearer(credential),
          endpoint.operationId,
          sent,
        );
        if (error) continue;
        const parts = readArguments(endpoint, sent);
        const path = endpoint.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => parts.path[name] ?? '');
        const request = await app.get(`${path}?${parts.rawQuery}`, credential);
        expect([endpoint.operationId, status, body]).toEqual([
          endpoint.operationId,
          request.status,
          request.body,
        ]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(90);
  });

  test('logs a tool call as its request', async () => {
    lines.length = 0;
    await callTool(app.pipit.app, bearer(app.bearer), 'findTweetById', {
      id: POSTS.hello,
      'tweet.fields': ['lang'],
    });
    expect(lines.find(({ operation }) => operation === 'findTweetById')).toMatchObject({
      method: 'GET',
      path: `/2/tweets/${POSTS.hello}`,
      query: 'tweet.fields=lang',
      status: 200,
      appId: expect.any(String),
    });
  });
});

test('the limits of the published client are those of its requests', async () => {
  await using app = await startTestApp({ flags: { rateLimits: '0.001' } });
  const url = await app.listen();
  const token = await app.as('alice');
  await using alice = await connectMcp(url, token);
  expect(await alice.call('findMyUser')).toMatchObject({ isError: false, meta: { status: 200 } });
  const refused = await alice.call('findMyUser');
  expect(refused).toMatchObject({ isError: true, body: { title: 'Too Many Requests', status: 429 } });
  expect((await app.get('/2/users/me', token)).status).toBe(429);
  expect(await alice.call('findTweetById', { id: POSTS.hello })).toMatchObject({ isError: false });
});

/** Returns arguments with the values of the endpoint's example. */
function exampleArguments(endpoint: AnyEndpoint): Record<string, unknown> {
  const [path = '', query = ''] = exampleUrl(endpoint).split('?');
  const steps = path.split('/');
  const values = endpoint.path.split('/').flatMap((step, at) => (step.startsWith('{') ? [steps[at]] : []));
  const inPath = pathParameters(endpoint.path).map((name, at) => [name, values[at] ?? ''] as const);
  const sent = Object.fromEntries(
    [...inPath, ...new URLSearchParams(query)].map(([name, value]) => {
      const { type } = endpoint.params?.[name]?.schema ?? {};
      return [name, type === 'array' ? value.split(',') : type === 'integer' ? Number(value) : value];
    }),
  );
  const { body } = endpoint;
  return { ...sent, ...(body?.kind === 'json' && (exampleOf(body.object.schema) as object)) };
}

/** Replaces example ids by those of a user or post. */
function withKnownIds(sent: Record<string, unknown>, ids: { readonly user: string; readonly post: string }) {
  const known = (name: string) => (name.includes('user') || name === 'id' ? ids.user : ids.post);
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      /id$|ids$/.test(name) ? (Array.isArray(value) ? [known(name)] : known(name)) : value,
    ]),
  );
}
