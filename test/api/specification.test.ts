import { describe, expect, test } from 'vitest';
import { checkJsonBody } from '../../src/api/body/check.js';
import { pathParameters } from '../../src/http/router.js';
import { type AnyEndpoint } from '../../src/api/endpoint.js';
import { Faults } from '../../src/http/faults.js';
import type { ParamSpec } from '../../src/api/params/params.js';
import { endpoints } from '../../src/api/route-table.js';
import { readEndpointPage } from './support/endpoint-page.js';
import { rows } from './support/specification-table.js';

/** Each endpoint of the 2022 API, as listed in `support/specification-table.ts`, compared with the catalogue. */

function find(name: string): AnyEndpoint {
  const endpoint = endpoints.find(({ method, path }) => `${method} ${path}` === name);
  if (!endpoint) throw new Error(`${name} is not in the catalogue`);
  return endpoint;
}

function faultsOf(check: (faults: Faults) => void): boolean {
  const faults = new Faults();
  check(faults);
  try {
    faults.throwIfAny();
    return false;
  } catch {
    return true;
  }
}

const accepts = (spec: ParamSpec<unknown>, raw: string): boolean =>
  !faultsOf((faults) => spec.parse(raw, 'name', faults));

function acceptsBody({ body }: AnyEndpoint, value: object): boolean {
  if (body?.kind !== 'json') return false;
  const bytes = Buffer.from(JSON.stringify(value));
  return !faultsOf((faults) => checkJsonBody(body, 'application/json', bytes, faults));
}

describe.each(rows)('$name ($section)', ({ name, who, query, body, notes }) => {
  test('accepts the specified credentials', () => {
    const { access, method, path } = find(name);
    if (access === 'public') throw new Error('it is public');
    const contexts = new Set<string>(access.contexts);
    if (who === 'user') expect(contexts).toEqual(new Set(['oauth1', 'oauth2']));
    else expect(contexts).toContain('app');
    if (who === 'app') expect(contexts).toEqual(new Set(['app']));
    if (who === 'user' && method !== 'GET') expect(access.permission).toMatch(/^read_write/);
    expect(access.track).toBe(notes.includes('research') ? 'academic_research' : undefined);
    expect(access.ownId).toBe(notes.includes('own') ? pathParameters(path)[0] : undefined);
  });

  test(`${notes.includes('cap') ? 'counts' : 'does not count'} toward the cap (8)`, () => {
    expect(find(name).capped === true).toBe(notes.includes('cap'));
  });

  test('requires exactly the specified parameters', () => {
    const { params = {}, exactlyOneOf = [] } = find(name);
    const required = Object.entries(params)
      .filter(([, spec]) => spec.in === 'query' && spec.required)
      .map(([parameter]) => parameter);
    expect(required).toEqual(query.filter((each) => each.required).map((each) => each.name));
    const one = notes.find((note) => note.startsWith('one:'))?.slice('one:'.length) ?? '';
    expect([...exactlyOneOf].sort().join(',')).toBe(one);
  });

  test.for(query)('accepts $name within its bounds', (wanted) => {
    const spec = find(name).params?.[wanted.name];
    if (!spec) throw new Error('it does not');
    expect(spec.in).toBe('query');
    const { range, longest, choices = [], choice } = wanted;
    if (range) {
      const tried = [range.min - 1, range.min, range.max, range.max + 1].map((each) =>
        accepts(spec, String(each)),
      );
      expect(tried).toEqual([false, true, true, false]);
      if (range.default !== undefined) expect(spec.absent).toBe(range.default);
    }
    if (longest !== undefined) {
      const list = (length: number): string => Array<string>(length).fill('1').join(',');
      expect([accepts(spec, list(longest)), accepts(spec, list(longest + 1))]).toEqual([true, false]);
    }
    for (const each of choices) expect([each, accepts(spec, each)]).toEqual([each, true]);
    if (choices.length > 0) {
      expect(accepts(spec, choices.join(','))).toBe(false);
      expect(spec.absent).toBe(choice);
    }
  });

  const whole = Object.fromEntries(body.map((field) => [field.name, field.values[0]]));

  test.for(body)('accepts $name in the body', (field) => {
    const endpoint = find(name);
    for (const value of field.values) {
      expect([value, acceptsBody(endpoint, { ...whole, [field.name]: value })]).toEqual([value, true]);
    }
    expect(acceptsBody(endpoint, { ...whole, [field.name]: { wrong: true } })).toBe(false);
    if (field.required) expect(acceptsBody(endpoint, { ...whole, [field.name]: undefined })).toBe(false);
    if (field.longest === undefined) return;
    const [sample] = field.values;
    const long = (length: number) =>
      Array.isArray(sample) ? Array<string>(length).fill('1') : 'x'.repeat(length);
    const lengths = [field.longest, field.longest + 1];
    const tried = lengths.map((length) => acceptsBody(endpoint, { ...whole, [field.name]: long(length) }));
    expect(tried).toEqual([true, false]);
  });
});

const withBody = rows.filter(({ body }) => body.length > 0);

test.each(withBody)('$name accepts a body with the required fields only', ({ name, body }) => {
  // One of text and media is required as well.
  const sent = body.filter((field) => field.required || field.name === 'text');
  const value = Object.fromEntries(sent.map((field) => [field.name, field.values[0]]));
  expect(acceptsBody(find(name), value)).toBe(true);
});

const deleting = rows.filter(({ name }) => name.startsWith('DELETE'));

test.each(deleting)('$name accepts neither query nor body', ({ name }) => {
  const { params = {}, body } = find(name);
  expect(body).toBeUndefined();
  expect(Object.values(params).map((spec) => spec.in)).not.toContain('query');
});

test('pinned Lists are not paged', () => {
  const names = Object.keys(find('GET /2/users/{id}/pinned_lists').params ?? {});
  expect(names).not.toContain('max_results');
  expect(names).not.toContain('pagination_token');
});

test('a message accepts one attachment', () => {
  const send = find('POST /2/dm_conversations/with/{participant_id}/messages');
  const attachments = [{ media_id: '1' }, { media_id: '2' }];
  expect(acceptsBody(send, { attachments: attachments.slice(1) })).toBe(true);
  expect(acceptsBody(send, { attachments })).toBe(false);
  expect(acceptsBody(send, {})).toBe(false);
});

test('the endpoint reference has the page sizes and the notes on the cap', () => {
  const documented = readEndpointPage();
  for (const { name, query, notes } of rows) {
    const page = documented.get(name);
    const range = query.find((each) => each.range?.default !== undefined)?.range;
    if (range !== undefined) expect([name, page?.range]).toEqual([name, range]);
    expect([name, page?.notes.includes('post cap')]).toEqual([name, notes.includes('cap')]);
  }
});
