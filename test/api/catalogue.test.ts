import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyText } from '../support/any-text.js';
import { inject } from '../support/inject.js';
import { pathParameters } from '../../src/http/router.js';
import { type AnyEndpoint } from '../../src/api/endpoint.js';
import { checkJsonBody } from '../../src/api/body/check.js';
import { Faults } from '../../src/http/faults.js';
import { paramReader } from '../../src/api/params/read-params.js';
import { exampleOf, exampleUrl } from '../../src/api/reference/examples.js';
import { openApiDocument } from '../../src/api/openapi.js';
import { endpoints } from '../../src/api/route-table.js';
import { components } from '../../src/api/schemas/components.js';
import { OWN_ID, as, buildFakeApp, fakeEndpoints } from './fake-catalogue.js';
import { walkCatalogue } from './walk-catalogue.js';

const { app } = buildFakeApp({ limits: 'off' });
afterAll(() => app.close());

const catalogues: [string, readonly AnyEndpoint[]][] = [
  ['the catalogue', endpoints],
  ['the test catalogue', fakeEndpoints],
];

describe.each(catalogues)('%s', (_name, catalogue) => {
  it('has unique operation ids', () => {
    const names = catalogue.map((each) => each.operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it('declares exactly the placeholders of each path as path parameters', () => {
    for (const { path, params = {} } of catalogue) {
      const declared = Object.entries(params).flatMap(([name, spec]) => (spec.in === 'path' ? [name] : []));
      expect(declared.sort(), path).toEqual(pathParameters(path).sort());
    }
  });

  it('restricts ownId to a path parameter', () => {
    for (const { access, path } of catalogue) {
      if (access !== 'public' && access.ownId !== undefined) {
        expect(pathParameters(path)).toContain(access.ownId);
      }
    }
  });

  it('requires write permission for every change by a user (docs/api/authentication.md#permissions)', () => {
    for (const { access, method, operationId } of catalogue) {
      if (method === 'GET' || access === 'public' || (access.contexts as readonly string[]).includes('app'))
        continue;
      expect(access.permission, operationId).toMatch(/^read_write/);
    }
  });

  it('has a valid example for each endpoint', () => {
    for (const each of catalogue) {
      const { operationId, path, params = {}, body } = each;
      const faults = new Faults();
      const [url = '', query = ''] = exampleUrl(each).split('?');
      paramReader(params)(query, pathValues(path, url), faults);
      if (body?.kind === 'json') {
        const example = Buffer.from(JSON.stringify(exampleOf(body.object.schema)));
        checkJsonBody(body, 'application/json', example, faults);
      }
      expect(() => faults.throwIfAny(), operationId).not.toThrow();
    }
  });

  it('produces an OpenAPI document whose references all resolve', () => {
    const document = JSON.parse(JSON.stringify(openApiDocument(catalogue))) as object;
    for (const reference of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = (reference[1] ?? '')
        .split('/')
        .reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], document);
      expect(found, reference[0]).toBeDefined();
    }
  });

  it('produces an OpenAPI document whose schemas all compile', () => {
    const document = JSON.parse(JSON.stringify(openApiDocument(catalogue))) as object;
    const ajv = addFormats.default(new Ajv({ strict: false }));
    expect(() => ajv.compile({ $id: 'document', ...document })).not.toThrow();
    for (const schema of schemasIn(document)) expect(ajv.validateSchema(schema)).toBe(true);
  });
});

/** Returns the values of a path’s placeholders in a URL. */
function pathValues(path: string, url: string): Record<string, string> {
  const values = url.split('/');
  const pairs = path.split('/').map((step, at) => [step.slice(1, -1), values[at] ?? '']);
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** Returns every object under a `schema` or `schemas` key. */
function schemasIn(node: unknown): object[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'schema') return [value as object];
    if (key === 'schemas') return Object.values(value as Record<string, object>);
    return schemasIn(value);
  });
}

describe('the component schemas', () => {
  const ajv = addFormats.default(new Ajv({ strict: false }));
  ajv.addSchema({ $id: 'root', components: { schemas: JSON.parse(JSON.stringify(components)) as object } });
  const validate = (name: string, value: unknown): string => {
    ajv.validate({ $ref: `root#/components/schemas/${name}` }, value);
    return ajv.errorsText();
  };

  it.each([
    [
      'Tweet',
      {
        id: '2',
        text: '@bob yes',
        edit_history_tweet_ids: ['2'],
        author_id: '7',
        conversation_id: '1',
        in_reply_to_user_id: '8',
        referenced_tweets: [{ type: 'replied_to', id: '1' }],
        created_at: '2022-10-07T22:42:12.000Z',
        entities: { mentions: [{ start: 0, end: 4, username: 'bob', id: '8' }] },
        public_metrics: { retweet_count: 0, reply_count: 0, like_count: 1, quote_count: 0 },
      },
    ],
    ['User', { id: '7', name: 'Alice', username: 'alice', created_at: '2022-10-07T22:42:12.000Z' }],
    ['Media', { media_key: '3_1', type: 'photo', url: 'https://example.com/a.png', width: 1, height: 1 }],
    ['Poll', { id: '1', options: [{ position: 1, label: 'a', votes: 0 }], voting_status: 'open' }],
    ['Place', { id: '01a9a39529b27f36', full_name: 'Manhattan, NY', country_code: 'US' }],
    ['Space', { id: '1YpKk', state: 'ended' }],
    ['List', { id: '1', name: 'n', description: '', private: false }],
    ['DmEvent', { id: '15', event_type: 'ParticipantsJoin', participant_ids: ['7'], sender_id: '8' }],
    ['Problem', { title: 'Unauthorized', detail: 'Unauthorized', type: 'about:blank', status: 401 }],
    ['Meta', { result_count: 0 }],
  ])('accept a valid %s', (name, value) => {
    expect(validate(name, value)).toBe('No errors');
  });

  it('reject invalid objects', () => {
    expect(validate('Tweet', { id: 2, text: 'a' })).toContain('id must be string');
    expect(validate('Tweet', { id: '2', text: 'a', created_at: 'yesterday' })).toContain('date-time');
    expect(validate('User', { id: '7' })).toContain("must have required property 'name'");
  });
});

describe('a walk over the test catalogue', () => {
  it('reports nothing for documented responses', async () => {
    const faults = await walkCatalogue({
      app,
      endpoints: fakeEndpoints,
      credentials: { app: () => as('app'), oauth1: () => as('signed'), oauth2: () => as('user') },
      ownId: OWN_ID,
    });
    expect(faults).toEqual([]);
  });

  it('reports an undocumented response', async () => {
    const faults = await walkCatalogue({
      app,
      endpoints: fakeEndpoints.filter((each) => each.operationId === 'createThing'),
      credentials: { oauth1: () => as('signed-reader') },
      ownId: OWN_ID,
    });
    expect(faults).toContainEqual(
      expect.stringContaining('createThing, an over-long body: answered 403, not 413'),
    );
  });
});

describe('random input', () => {
  const statuses = [200, 201, 400, 404];

  it('in queries never causes a 5xx', async () => {
    const piece = fc.oneof(
      anyText({ maxLength: 8 }).map((text) => encodeURIComponent(text.toWellFormed())),
      fc.string({ unit: fc.constantFrom(...'%+&=,.;[]{}"\\\u00e9\u00ff0af'), maxLength: 12 }),
      fc.constantFrom(
        'ids',
        'max_results',
        'tweet.fields',
        'start_time',
        '2022-02-30T00:00:00Z',
        '__proto__',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.boolean(), async (pieces, isPaired) => {
        const query = pieces.map((text, at) => text + (isPaired && at % 2 === 0 ? '=' : '&')).join('');
        const answer = await inject(app, { method: 'GET', url: `/2/things?${query}`, headers: as('app') });
        expect(statuses).toContain(answer.statusCode);
      }),
      { numRuns: 300 },
    );
  });

  it('in paths never causes a 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'%/.;?#12aé\u00ff '), maxLength: 20 }),
        async (path) => {
          const answer = await inject(app, { method: 'GET', url: `/2/things/${path}`, headers: as('app') });
          expect(statuses).toContain(answer.statusCode);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('in bodies never causes a 5xx', async () => {
    const names = [
      'text',
      'count',
      'owner_id',
      'media',
      'media_ids',
      'tags',
      'attachments',
      'media_id',
      '__proto__',
    ];
    const value = fc.oneof(fc.jsonValue(), fc.bigInt().map(String), anyText());
    const body = fc.oneof(
      fc.json(),
      fc.string(),
      fc.dictionary(fc.constantFrom(...names), value).map((members) => JSON.stringify(members)),
      fc
        .array(fc.tuple(fc.constantFrom(...names), fc.bigInt()))
        .map((members) => `{${members.map(([name, digits]) => `"${name}":${digits}`).join(',')}}`),
    );
    await fc.assert(
      fc.asyncProperty(body, async (payload) => {
        const headers = { ...as('user'), 'content-type': 'application/json' };
        const answer = await inject(app, { method: 'POST', url: '/2/things', headers, payload });
        expect(statuses).toContain(answer.statusCode);
      }),
      { numRuns: 300 },
    );
  });
});
