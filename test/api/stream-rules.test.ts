import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import type { LooseJson } from '../support/loose-json.js';
import { APP, standardWorld } from '../support/world.js';

/** Rules of the filtered stream (docs/api/streams.md#rules). */

const NOW_MS = Date.parse('2022-10-07T22:42:12.345Z');
const SENT = '2022-10-07T22:42:12.000Z';
const PATH = '/2/tweets/search/stream/rules';
const MAX_RULES = 5;

const OTHER = {
  id: '77',
  owner: 'bob',
  permissions: 'read',
  redirect_uris: [],
  name: 'Other',
  api_key: 'other-key',
  api_secret: 'other-secret',
  bearer_token: 'other-bearer',
  client_id: 'other-client',
};

let app: TestApp;
beforeAll(async () => {
  const world = standardWorld();
  app = await startTestApp({
    world: { ...world, apps: [...(world.apps ?? []), OTHER] },
    clock: () => NOW_MS,
    flags: { streamRules: String(MAX_RULES), streamRuleLength: '100' },
  });
});
afterAll(() => app.close());
beforeEach(async () => {
  for (const token of [app.bearer, OTHER.bearer_token]) await app.post(`${PATH}?delete_all=true`, token);
});

const add = (...rules: unknown[]) => app.post(PATH, app.bearer, { add: rules });
const remove = (deletion: unknown) => app.post(PATH, app.bearer, { delete: deletion });

async function listed(query = '', token = app.bearer): Promise<LooseJson> {
  const { status, body } = await app.get(PATH + query, token);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function values(): Promise<string[]> {
  return ((await listed()).data ?? []).map(({ value }: { value: string }) => value);
}

describe('adding', () => {
  test('answers 201 with the rules as they are stored', async () => {
    const { status, body } = await add({ value: 'heron has:images', tag: 'herons' }, { value: 'pond' });
    expect(status).toBe(201);
    const [first, second] = body.data;
    expect(body).toEqual({
      data: [
        { value: 'heron has:images', tag: 'herons', id: first.id },
        { value: 'pond', id: second.id },
      ],
      meta: { sent: SENT, summary: { created: 2, not_created: 0, valid: 2, invalid: 0 } },
    });
    expect(Object.keys(first)).toEqual(['value', 'tag', 'id']);
    expect(await listed()).toEqual({
      data: [
        { id: first.id, value: 'heron has:images', tag: 'herons' },
        { id: second.id, value: 'pond' },
      ],
      meta: { sent: SENT, result_count: 2 },
    });
  });

  test('reports duplicates, whatever their tags', async () => {
    const { id } = (await add({ value: 'heron' })).body.data[0];
    const again = await add({ value: 'heron', tag: 'other' });
    const duplicate = {
      value: 'heron',
      id,
      title: 'DuplicateRule',
      type: 'https://api.twitter.com/2/problems/duplicate-rules',
    };
    expect([again.status, again.body]).toEqual([
      201,
      {
        meta: { sent: SENT, summary: { created: 0, not_created: 1, valid: 0, invalid: 1 } },
        errors: [duplicate],
      },
    ]);
    const mixed = await add({ value: 'pond' }, { value: 'heron' }, { value: 'pond' });
    const pond = mixed.body.data[0].id;
    expect(mixed.body).toMatchObject({
      data: [{ value: 'pond' }],
      meta: { summary: { created: 1, not_created: 2, valid: 1, invalid: 2 } },
      errors: [duplicate, { value: 'pond', id: pond, title: 'DuplicateRule' }],
    });
    expect(await values()).toEqual(['heron', 'pond']);
  });

  test('reports each fault of an invalid rule and adds the valid ones', async () => {
    const { status, body } = await add(
      { value: 'heron and pond h:1' },
      { value: 'x'.repeat(101) },
      { value: 'y' },
    );
    expect(status).toBe(201);
    expect(body.meta.summary).toEqual({ created: 1, not_created: 2, valid: 1, invalid: 2 });
    expect(body.errors).toEqual([
      {
        value: 'heron and pond h:1',
        title: 'UnprocessableEntity',
        details: [
          'Ambiguous use of and as a keyword. Use a space to logically join two clauses, or "and" to find occurrences of and in text (at position 7)',
          "Reference to invalid field 'h' (at position 16)",
        ],
        type: 'https://api.twitter.com/2/problems/invalid-rules',
      },
      expect.objectContaining({ details: ['Rule length exceeds limit: 101 characters, maximum 100'] }),
    ]);
    expect(await values()).toEqual(['y']);
  });

  test('adds nothing beyond the most rules of an app', async () => {
    const many = Array.from({ length: MAX_RULES }, (_, n) => ({ value: `word${n}` }));
    await add(...many.slice(1));
    const { status, body } = await add({ value: 'one' }, { value: 'two' });
    expect([status, body]).toEqual([
      422,
      {
        title: 'RulesCapExceeded',
        detail: 'The app may have 5 rules, and would have 6.',
        type: 'https://api.twitter.com/2/problems/rule-cap',
        status: 422,
      },
    ]);
    expect(await values()).toHaveLength(MAX_RULES - 1);
    expect((await add({ value: 'one' }, { value: 'word1' })).status).toBe(201);
  });

  test('of two requests for the last place, one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: MAX_RULES + 2 }, (_, n) => add({ value: `word${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 422, 422]);
    const same = await Promise.all([remove({ values: ['word0', 'word1', 'word2', 'word3', 'word4'] })]);
    expect(same[0]?.status).toBe(200);
    await add({ value: 'a' });
    await Promise.all([add({ value: 'b' }), add({ value: 'b' })]);
    expect((await values()).filter((value) => value === 'b')).toHaveLength(1);
  });
});

test('a dry run answers the same and changes nothing', async () => {
  const dry = await app.post(`${PATH}?dry_run=true`, app.bearer, {
    add: [{ value: 'heron' }, { value: 'h:1' }],
  });
  expect([dry.status, dry.body]).toMatchObject([
    201,
    { data: [{ value: 'heron', id: expect.any(String) }], errors: [{ value: 'h:1' }] },
  ]);
  expect(await values()).toEqual([]);
  await add({ value: 'heron' });
  const removal = { delete: { values: ['heron', 'pond'] } };
  const dryRemoval = await app.post(`${PATH}?dry_run=true`, app.bearer, removal);
  expect(dryRemoval.body.meta.summary).toEqual({ deleted: 1, not_deleted: 1 });
  expect(await values()).toEqual(['heron']);
});

describe('deleting', () => {
  test.each(['ids', 'values'] as const)('by %s counts what is not there', async (by) => {
    const { body } = await add({ value: 'heron' }, { value: 'pond' });
    const known = by === 'ids' ? body.data[0].id : 'heron';
    const answer = await remove({ [by]: [known, by === 'ids' ? '1' : 'nothing'] });
    expect([answer.status, answer.body]).toEqual([
      200,
      { meta: { sent: SENT, summary: { deleted: 1, not_deleted: 1 } } },
    ]);
    expect(await values()).toEqual(['pond']);
  });

  test('takes ids as JSON numbers', async () => {
    expect((await remove({ ids: [12] })).body.meta.summary).toEqual({ deleted: 0, not_deleted: 1 });
  });

  test('of all rules takes an empty body', async () => {
    await add({ value: 'heron' }, { value: 'pond' });
    const { status, body } = await app.post(`${PATH}?delete_all=true`, app.bearer);
    expect([status, body.meta.summary]).toEqual([200, { deleted: 2, not_deleted: 0 }]);
    expect(await listed()).toEqual({ meta: { sent: SENT, result_count: 0 } });
  });
});

describe('listing', () => {
  test('selects rules by their ids', async () => {
    const { body } = await add({ value: 'a' }, { value: 'b' }, { value: 'c' });
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect((await listed(`?ids=${ids[2]},${ids[0]},1`)).data).toMatchObject([{ value: 'a' }, { value: 'c' }]);
  });

  test('returns pages that join to the whole list', async () => {
    await add(...['a', 'b', 'c', 'd', 'e'].map((value) => ({ value })));
    const seen: string[] = [];
    for (let token = ''; ;) {
      const page = await listed(`?max_results=2${token}`);
      seen.push(...page.data.map(({ value }: { value: string }) => value));
      expect(page.meta.result_count).toBe(page.data.length);
      if (page.meta.next_token === undefined) break;
      token = `&pagination_token=${page.meta.next_token}`;
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

test('counts', async () => {
  await add({ value: 'a' }, { value: 'b' });
  const ofApp = { client_app_id: APP.id, rule_count: 2 };
  const counts = {
    cap_per_client_app: '5',
    cap_per_project: '5',
    client_app_rules_count: ofApp,
    project_rules_count: '2',
  };
  expect((await app.get(`${PATH}/counts`, app.bearer)).body).toEqual({ data: counts });
  const fields = '?rules_count.fields=all_project_client_apps';
  expect((await app.get(`${PATH}/counts${fields}`, app.bearer)).body).toEqual({
    data: { ...counts, all_project_client_apps: [ofApp] },
  });
});

test('each app has rules of its own', async () => {
  const { body } = await add({ value: 'heron' });
  expect(await listed('', OTHER.bearer_token)).toEqual({ meta: { sent: SENT, result_count: 0 } });
  const stolen = await app.post(PATH, OTHER.bearer_token, { delete: { ids: [body.data[0].id] } });
  expect(stolen.body.meta.summary).toEqual({ deleted: 0, not_deleted: 1 });
  expect(
    (await app.post(PATH, OTHER.bearer_token, { add: [{ value: 'heron' }] })).body.errors,
  ).toBeUndefined();
  expect(await values()).toEqual(['heron']);
});

describe('bodies', () => {
  test.each([
    ['neither add nor delete', {}, '$'],
    ['both', { add: [{ value: 'a' }], delete: { ids: ['1'] } }, '$'],
    ['an empty list', { add: [] }, '$.add'],
    ['an empty list of ids', { delete: { ids: [] } }, '$.delete.ids'],
    ['ids and values', { delete: { ids: ['1'], values: ['a'] } }, '$.delete'],
    ['nothing to delete', { delete: {} }, '$.delete'],
    ['an unknown key', { add: [{ value: 'a', tags: 'b' }] }, '$.add[0].tags'],
    ['an empty value', { add: [{ value: '' }] }, '$.add[0].value'],
    ['no value', { add: [{ tag: 'a' }] }, '$.add[0].value'],
    ['a bad id', { delete: { ids: ['abc'] } }, '$.delete.ids[0]'],
  ])('%s is refused', async (_, sent, parameter) => {
    const { status, body } = await app.post(PATH, app.bearer, sent);
    expect([status, body.title]).toEqual([400, 'Invalid Request']);
    expect(Object.keys(body.errors[0].parameters)).toEqual([parameter]);
  });

  test('a bad id is named as X names it', async () => {
    const { body } = await remove({ ids: ['abc'] });
    expect(body.errors[0].message).toContain("'abc' is not a valid Long");
  });

  test('an id may be a number of any length', async () => {
    const id = (await add({ value: 'heron' })).body.data[0].id as string;
    expect(id.length).toBeGreaterThan(16);
    const payload = `{"delete":{"ids":[${id}]}}`;
    const headers = { authorization: `Bearer ${app.bearer}`, 'content-type': 'application/json' };
    const { status, body } = await app.request({ method: 'POST', url: PATH, headers, payload });
    expect([status, body.meta.summary]).toEqual([200, { deleted: 1, not_deleted: 0 }]);
    const wrong = await app.request({
      method: 'POST',
      url: PATH,
      headers,
      payload: '{"delete":{"ids":[99999999999999999999]}}',
    });
    expect([wrong.status, wrong.body.errors[0].message]).toEqual([
      400,
      expect.stringContaining("'99999999999999999999' is not a valid Long"),
    ]);
  });

  test('delete_all excludes a body', async () => {
    const answer = await app.post(`${PATH}?delete_all=true`, app.bearer, { add: [{ value: 'a' }] });
    expect(answer.status).toBe(400);
  });
});

test('users have no rules', async () => {
  const { status, body } = await app.get(PATH, await app.as('alice'));
  expect([status, body.title]).toEqual([403, 'Unsupported Authentication']);
});

test('limits are those of X', async () => {
  const limited = await startTestApp({ clock: () => NOW_MS, flags: { rateLimits: 'standard' } });
  try {
    const got = await limited.get(PATH, limited.bearer);
    expect(got.headers['x-rate-limit-limit']).toBe('450');
    const posted = await limited.post(PATH, limited.bearer, { add: [{ value: 'a' }] });
    expect(posted.headers['x-rate-limit-limit']).toBe('100');
  } finally {
    await limited.close();
  }
});
