import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type App, buildApp } from '../../src/api/app.js';
import { jsonBody } from '../../src/api/body/body.js';
import type { ApiContext } from '../../src/api/context.js';
import { Answer } from '../../src/http/answer.js';
import { endpoint } from '../../src/api/endpoint.js';
import { textParam } from '../../src/api/params/params.js';
import { PipitError, resourceNotFound, type Failure } from '../../src/core/errors.js';
import type { AppId } from '../../src/core/ids.js';
import * as v from '../../src/core/validators.js';

/** An error thrown anywhere during a request gives 500 or a closed connection, and the next request is served. */

type Act = () => unknown;
type Faults = Partial<Record<string, Act>>;

/** The faults of the next requests, by stage. */
let faults: Faults = {};
const logged: object[] = [];

/** Runs the fault of a stage. */
function reach(stage: string): unknown {
  return faults[stage]?.();
}

const app: App = buildApp({
  publicUrl: 'http://pipit.test',
  endpoints: [
    endpoint({
      operationId: 'breakable',
      tag: 'Things',
      summary: 'Breaks at every stage',
      method: 'POST',
      path: '/2/breakable',
      access: { contexts: ['app'] },
      rateLimits: [{ per: 'app', limit: 300 }],
      capped: true,
      params: {
        at: { ...textParam('Where.'), parse: () => void reach('params') },
      },
      body: jsonBody(
        v.object({ text: { ...v.text(), check: (value) => (reach('body check'), String(value)) } }),
      ),
      handler: async () => reach('handler') ?? { data: { id: '1' } },
    }),
  ],
  plainRoutes: () => [
    {
      method: 'GET',
      path: '/fine',
      handler: () => new Answer(200, 'fine', { 'content-type': 'text/plain' }),
    },
    {
      method: 'POST',
      path: '/plain',
      handler: () => (reach('plain') as Answer | undefined) ?? new Answer(200, 'plain'),
    },
    {
      method: 'POST',
      path: '/page',
      showProblem: () => (reach('show problem') as Answer | undefined) ?? new Answer(400, 'page'),
      handler: () => (reach('page') as Answer | undefined) ?? new Answer(200, 'page'),
    },
  ],
  context: {} as ApiContext,
  authenticator: {
    authenticate: async () => {
      reach('authenticate');
      return {
        context: 'app',
        app: {
          id: 1n as AppId,
          name: 'test',
          clientId: 'client-1',
          accessLevel: 'elevated',
          track: 'standard',
          permissions: 'read_write',
        },
      };
    },
  },
  limiter: {
    isOff: false,
    callers: () => [],
    clear: () => undefined,
    of: () => ({
      take: () => void reach('limiter'),
      look: () => undefined,
      set: () => undefined,
      untouched: () => void reach('anonymous limits'),
    }),
  },
  usageCap: {
    countRequest: () => void reach('count'),
    require: () => reach('usage cap') as undefined,
    record: () => void reach('record'),
  },
  log: {
    error: (fields) => {
      reach('log');
      logged.push(fields);
    },
  },
  clock: () => (reach('clock'), Date.UTC(2022, 1, 1)),
  catchUp: () => reach('catch up') as undefined,
  observers: [{ observe: () => void reach('observer') }],
  showProblem: () => (reach('show problem') as Answer | undefined) ?? new Answer(404, 'lost'),
});

/** Makes property reads of the request run the faults of their stages once; `node:http` reads them undisturbed. */
function onRequest(message: unknown): void {
  const { request } = message as { readonly request: IncomingMessage };
  const { url: target, headers, rawHeaders } = request;
  const meet = (stage: string, name: 'url' | 'rawHeaders', value: unknown): void => {
    if (!faults[stage]) return;
    let isMet = false;
    const get = (): unknown => (isMet ? value : ((isMet = true), reach(stage)));
    Object.defineProperty(request, name, { get });
  };
  expect(headers).toBeDefined();
  meet('target', 'url', target);
  meet('headers', 'rawHeaders', rawHeaders);
  if (!faults['body read']) return;
  const on = request.on.bind(request);
  request.on = (event: string, listener: (...args: never[]) => void) => {
    if (event === 'data') reach('body read');
    return on(event, listener as () => void);
  };
}

let url = '';
beforeAll(async () => {
  subscribe('http.server.request.start', onRequest);
  url = `http://127.0.0.1:${await app.listen({ host: '127.0.0.1', port: 0 })}`;
});
afterAll(async () => {
  unsubscribe('http.server.request.start', onRequest);
  await app.close();
});
beforeEach(() => {
  logged.length = 0;
});

interface Outcome {
  /** `cut off` for a connection that closed before the response was complete. */
  readonly status: number | 'cut off';
  readonly body: string;
}

async function send(path: string, accept = '*/*'): Promise<Outcome> {
  try {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: '{"text":"hello"}',
    });
    return { status: answer.status, body: await answer.text() };
  } catch {
    return { status: 'cut off', body: '' };
  }
}

/** Sends a request with these faults, then one without, which must be served. */
async function outcomeWith(path: string, met: Faults, accept?: string): Promise<Outcome> {
  faults = met;
  const outcome = await send(path, accept);
  faults = {};
  expect((await fetch(`${url}/fine`)).status).toBe(200);
  return outcome;
}

const throws = (error: unknown = new Error('select * from secrets')): Act => {
  return () => {
    throw error;
  };
};
const fails = (failure: object): Act => throws(new PipitError(failure as Failure, { message: 'broken' }));

const BREAKABLE = '/2/breakable?at=x';

function expectInternal(outcome: Outcome): void {
  expect(outcome).toMatchObject({ status: 500 });
  expect(JSON.parse(outcome.body)).toEqual({
    title: 'Internal Server Error',
    detail: 'Something is broken. The fault has been logged.',
    type: 'about:blank',
    status: 500,
  });
}

/** A value of which any use throws. */
const unreadable = new Proxy(
  {},
  {
    get: throws(),
    getPrototypeOf: throws() as () => object,
    ownKeys: throws() as () => string[],
  },
);
const selfCaused = new Error('x');
selfCaused.cause = selfCaused;
const circular: { data?: unknown } = {};
circular.data = { id: '1', circular };

describe('an error at a stage of an endpoint', () => {
  it.each([
    'target',
    'headers',
    'catch up',
    'authenticate',
    'count',
    'limiter',
    'params',
    'body read',
    'body check',
    'usage cap',
    'handler',
    'record',
  ])('%s gives 500 and one log entry, and the server continues', async (stage) => {
    expectInternal(await outcomeWith(BREAKABLE, { [stage]: throws() }));
    expect(logged).toHaveLength(1);
    const rejects: Act = () => Promise.reject(new Error('later'));
    const later = ['catch up', 'usage cap', 'handler'].includes(stage);
    if (later) expectInternal(await outcomeWith(BREAKABLE, { [stage]: rejects }));
  });

  it.each([
    ['a BigInt', () => ({ data: { id: '1', count: 1n } })],
    ['a circle', () => circular],
    ['a toJSON that throws', () => ({ data: { id: '1', toJSON: throws() } })],
    ['data that has no ids', () => ({ data: [null] })],
    ['an invalid header', () => new Answer(200, 'x', { location: 'a\r\nb: c' })],
    ['a status that no status can be', () => new Answer(7, 'x')],
    ['a stream behind such a header', () => new Answer(200, Readable.from(['x']), { location: '\n' })],
    ['a body that is no text', () => new Answer(200, unreadable, { 'content-type': 'text/plain' })],
  ])('%s as the result gives 500', async (_name, handler) => {
    expectInternal(await outcomeWith(BREAKABLE, { handler }));
    expect(logged).toHaveLength(1);
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a symbol', Symbol('odd')],
    ['an unreadable object', unreadable],
    ['an error whose cause is itself', selfCaused],
  ])('throwing %s gives 500', async (_name, error) => {
    expectInternal(await outcomeWith(BREAKABLE, { handler: throws(error) }));
  });
});

describe('an error while handling an error', () => {
  const missing = resourceNotFound({ resourceType: 'tweet', parameter: 'text', value: '404' });
  const refusal = throws(missing);

  it.each<readonly [string, Faults]>([
    ['a log that throws', { handler: throws(), log: throws() }],
    ['a clock that throws', { handler: refusal, clock: throws() }],
    ['limits that throw', { authenticate: refusal, 'anonymous limits': throws() }],
    ['a problem that is no JSON', { handler: fails({ code: 'forbidden', detail: 1n }) }],
    ['a failure without its parts', { handler: fails({ code: 'resource-not-found' }) }],
    ['a failure of no known code', { handler: fails({ code: 'unheard-of' }) }],
    ['an invalid header of a problem', { handler: fails({ code: 'method-not-allowed', allowed: ['\n'] }) }],
  ])('%s gives 500', async (_name, met) => {
    expectInternal(await outcomeWith(BREAKABLE, met));
  });

  it('gives 500 in the format of the path', async () => {
    const met = { authenticate: throws(), log: throws() };
    const { status, body } = await outcomeWith('/1.1/lost.json', met);
    expect([status, JSON.parse(body)]).toEqual([
      500,
      { errors: [{ code: 131, message: 'Internal error.' }] },
    ]);
  });
});

describe('an error outside the catalogue', () => {
  it.each<readonly [string, string, Faults]>([
    ['a plain route', '/plain', { plain: throws() }],
    ['a plain route that rejects', '/plain', { plain: () => Promise.reject(new Error('later')) }],
    ['a plain route that does not return an answer', '/plain', { plain: () => 'x' }],
    ['the page of a problem', '/page', { page: throws(), 'show problem': throws() }],
    ['an unknown path of version 1.1', '/1.1/lost.json', { 'catch up': throws() }],
  ])('%s gives 500', async (_name, path, met) => {
    expect((await outcomeWith(path, met)).status).toBe(500);
  });

  it('that prevents the page of a problem leaves the problem itself', async () => {
    const { status, body } = await outcomeWith('/lost', { 'show problem': throws() }, 'text/html');
    expect([status, JSON.parse(body)]).toEqual([404, expect.objectContaining({ title: 'Not Found' })]);
    expect(logged).toHaveLength(1);
  });
});

describe('a response that has started', () => {
  it('is complete when an observer of requests throws, and the error is logged', async () => {
    expect((await outcomeWith(BREAKABLE, { observer: throws() })).status).toBe(200);
    expect(logged).toMatchObject([{ err: { message: 'select * from secrets' } }]);
  });

  it('is cut off when its stream fails, and the error is logged', async () => {
    async function* half(): AsyncGenerator<string> {
      yield 'x'.repeat(100_000);
      throw new Error('select * from secrets');
    }
    const stream = () => new Answer(200, Readable.from(half()), { 'content-length': '200000' });
    expect((await outcomeWith(BREAKABLE, { handler: stream })).status).toBe('cut off');
    expect(logged).toMatchObject([{ operation: 'breakable', err: { message: 'select * from secrets' } }]);
  });
});
