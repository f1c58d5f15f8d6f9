import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/route-table.js';
import { readQuery, readRule } from '../../src/query/read-query.js';
import { RULE_LANGUAGE } from '../../src/query/rule-operators.js';
import { SEARCH_LANGUAGE } from '../../src/query/search-operators.js';
import { EXPLAINED_TERMS } from '../../src/query/explained-operators.js';
import { obstacleOf } from '../../src/web/docs/try-it.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { csrfOf, expectValidPage, linksOf, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** What one page may weigh at its first view, with the style and the script beside it. */
const MAX_PAGE_BYTES = 30_000;

let app: TestApp;
let alice: Browser;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld(), flags: { publicPages: 'off' } });
  alice = openBrowser(app);
  await alice.signIn('alice', PASSWORDS.alice);
});
afterAll(() => app.close());

const pathOf = (operation: string): string => `/docs/endpoints/${operation}`;

test('links lead from /docs to a page of each endpoint and each guide, all of them light and valid', async () => {
  const visitor = openBrowser(app);
  const seen = new Map<string, BrowserAnswer>();
  const open = ['/docs'];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    const page = await visitor.get(path);
    seen.set(path, page);
    expect([path, page.status]).toEqual([path, 200]);
    expectValidPage(page, path);
    expect(gzipSync(page.text).length, path).toBeLessThan(MAX_PAGE_BYTES);
    const links = linksOf(page).map((link) => link.split('#')[0] ?? '');
    open.push(...links.filter((link) => link.startsWith('/docs') && !link.includes('?')));
  }
  for (const { operationId, method, path } of endpoints) {
    const page = seen.get(pathOf(operationId));
    expect(page && textOf(page), operationId).toContain(`${method} ${path.split('{')[0]}`);
  }
  for (const guide of [
    'first-steps',
    'authentication',
    'query-language',
    'errors',
    'limits',
    'not-implemented',
  ])
    expect(seen.has(`/docs/${guide}`), guide).toBe(true);
});

test('anchors of links are on their pages', async () => {
  for (const path of ['/docs', '/docs/authentication', pathOf('createTweet')]) {
    for (const [, href = ''] of (await alice.get(path)).text.matchAll(/href="([^"]*#[^"]+)"/g)) {
      const [target = '', anchor = ''] = href.replaceAll('&amp;', '&').split('#');
      if (target !== '' && !target.startsWith('/docs')) continue;
      const { text } = await alice.get(target === '' ? path : target);
      expect(text, `${href} of ${path}`).toContain(`id="${anchor}"`);
    }
  }
});

test('a filter finds endpoints by all of its words, without script', async () => {
  const found = await alice.get('/docs/endpoints?q=likes+POST');
  expect(textOf(found)).toContain('usersIdLike');
  expect(textOf(found)).not.toContain('tweetsIdLikingUsers');
  const none = await alice.get(`/docs/endpoints?${new URLSearchParams({ q: '<b>"x' }).toString()}`);
  expect(textOf(none)).toContain('No endpoint has these words.');
  expectValidPage(none, 'hostile filter');
});

test('the language of examples is chosen once', async () => {
  const reader = openBrowser(app);
  expect(textOf(await reader.get(pathOf('createTweet')))).toContain("curl 'http");
  expect(textOf(await reader.get(`${pathOf('createTweet')}?language=python`))).toContain(
    'import urllib.request',
  );
  expect(textOf(await reader.get(pathOf('findMyUser')))).toContain('urllib.request.urlopen');
  expect(textOf(await reader.get('/docs/first-steps'))).toContain('urllib.request.urlopen');
  expect(textOf(await reader.get(`${pathOf('createTweet')}?language=cobol`))).toContain(
    'urllib.request.urlopen',
  );
});

describe('the query language', () => {
  test('is explained with every operator and its other spellings', async () => {
    const guide = textOf(await alice.get('/docs/query-language'));
    for (const name of [...SEARCH_LANGUAGE.operators.keys(), ...RULE_LANGUAGE.operators.keys()])
      expect(guide).toContain(`${name}:`);
  });

  test('accepts every example', () => {
    const access = { level: 'elevated', track: 'academic_research', product: 'recent' } as const;
    const exampleOf = ({ example }: { readonly example: string }): string => example;
    const examples = [
      ...[...SEARCH_LANGUAGE.operators.values()].map(exampleOf),
      ...EXPLAINED_TERMS.map(([each]) => each),
    ];
    for (const example of examples) expect(readQuery(example, access), example).toMatchObject({ ok: true });
    for (const example of [...RULE_LANGUAGE.operators.values()].map(exampleOf))
      expect(readRule(example, 1_024), example).toMatchObject({ ok: true });
  });
});

describe('the form to try an endpoint', () => {
  const send = async (operation: string, fields: Record<string, string>) => {
    const csrf = csrfOf((await alice.get(pathOf(operation))).text);
    return alice.post(pathOf(operation), { csrf, ...fields });
  };

  test('reads as the signed-in user and shows status, headers, body and time', async () => {
    const page = await send('findMyUser', { 'param.user.fields': 'created_at' });
    expectValidPage(page, 'tried');
    const shown = textOf(page).replaceAll('&quot;', '"');
    expect(shown).toMatch(/200 in \d+ ms/);
    expect(shown).toContain('x-rate-limit-remaining');
    expect(shown).toContain('"created_at": "2020-01-01T00:00:00.000Z"');
    expect(page.text).toContain('value="created_at"');
  });

  test('says that a write is real, and writes', async () => {
    expect(textOf(await alice.get(pathOf('createTweet')))).toContain('This is a real request');
    const page = await send('createTweet', { body: '{"text": "Tried <b>from</b> the docs"}' });
    expect(textOf(page)).toMatch(/201 in \d+ ms/);
    expectValidPage(page, 'written');
    const posts = await app.get(`/2/users/${USERS.alice}/tweets`, app.bearer);
    expect(posts.body.data[0].text).toBe('Tried &lt;b&gt;from&lt;/b&gt; the docs');
  });

  test('shows refusals of the endpoint, and faults of the form with what was typed', async () => {
    const refused = await send('findTweetById', { 'param.id': 'x' });
    expect(refused.status).toBe(200);
    expect(textOf(refused)).toMatch(/400 in \d+ ms/);
    const wrong = await send('createTweet', { body: '[1, ' });
    expect(wrong.status).toBe(400);
    expect(textOf(wrong)).toContain('The body must be a JSON object');
    expect(wrong.text).toContain('[1, </textarea>');
  });

  test('needs a session and the form of the site', async () => {
    const visitor = openBrowser(app);
    expect(textOf(await visitor.get(pathOf('createTweet')))).toContain('Sign in to send the request');
    const csrf = csrfOf((await visitor.get('/sign-in')).text);
    expect((await visitor.post(pathOf('createTweet'), { csrf, body: '{"text":"x"}' })).location).toMatch(
      /^\/sign-in/,
    );
    expect((await alice.post(pathOf('createTweet'), { csrf, body: '{"text":"x"}' })).status).toBe(403);
    expect(
      (await send('usersIdMute', { 'param.id': USERS.bob, body: '{"target_user_id":"1003"}' })).text,
    ).toContain('must be the same as the authenticating user');
  });

  test('calls every endpoint that it is offered for, and none fails in the server', async () => {
    const csrf = csrfOf((await alice.get(pathOf('findMyUser'))).text);
    for (const endpoint of endpoints) {
      const { operationId } = endpoint;
      const answer = await alice.post(pathOf(operationId), { csrf, 'param.id': USERS.alice, body: '{}' });
      if (obstacleOf(endpoint) !== undefined)
        expect([operationId, answer.status]).toEqual([operationId, 404]);
      else
        expect([operationId, answer.status, textOf(answer)]).toEqual([
          operationId,
          200,
          expect.not.stringMatching(/ 5\d\d in \d+ ms/),
        ]);
    }
  });

  test('does not exist for unknown endpoints', async () => {
    expect((await alice.get(pathOf('constructor'))).status).toBe(404);
    expect((await alice.get(pathOf('<x>'.repeat(50)))).status).toBe(404);
  });
});
