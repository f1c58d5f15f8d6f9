import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MISSING_OPERATIONS, type MissingOperation } from '../../src/api/not-implemented/operations.js';
import { notImplementedMarkdown } from '../../src/api/not-implemented/markdown.js';
import { endpoints } from '../../src/api/route-table.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { OPERATIONS_2_167 } from './support/operations-2-167.js';

/** Operations of the X API that Pipit does not implement, and unknown paths. */

const PAGE = '/docs/not-implemented';
const OPERATIONS = MISSING_OPERATIONS.flatMap(({ operations }) => operations);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Method = Parameters<TestApp['request']>[0]['method'];

function send(method: string, url: string) {
  return app.request({ method: method as Method, url, headers: { authorization: `Bearer ${app.bearer}` } });
}

const examples = (operation: MissingOperation) => {
  const methods = operation.method === 'ANY' ? ['GET', 'POST', 'PUT', 'DELETE'] : [operation.method];
  const path = operation.path.replaceAll(/\{[^}]+\}/g, '12345').replace('*', 'any/thing');
  return methods.map((method) => ({ method, path }));
};

/** A step of a route answers the same step, a placeholder a placeholder; `{lang}` and a last `*` answer any. */
function isRouteOf(
  operation: { readonly method: string; readonly path: string },
  route: { readonly method: string; readonly path: string },
): boolean {
  const steps = operation.path.split('/');
  const routeSteps = route.path.split('/');
  const takesRest = routeSteps.at(-1) === '*';
  if (takesRest) routeSteps.pop();
  if (takesRest ? steps.length < routeSteps.length : steps.length !== routeSteps.length) return false;
  const isSame = routeSteps.every((step, index) => {
    const wanted = steps[index] ?? '';
    return step === wanted || step === '{lang}' || (step.startsWith('{') && wanted.startsWith('{'));
  });
  return isSame && (route.method === operation.method || route.method === 'ANY');
}

describe('operations that are not implemented', () => {
  it('return 404 with a problem that names the operation and the page, with and without credentials', async () => {
    for (const operation of OPERATIONS) {
      for (const { method, path } of examples(operation)) {
        const { status, body, headers } = await send(method, `${path}?a=b`);
        expect([method, path, status]).toEqual([method, path, 404]);
        expect(headers['content-type']).toMatch(/json/);
        expect(body).toMatchObject({ title: 'Not Found', status: 404, type: 'about:blank', operation });
        expect(body.detail).toContain(`does not implement ${operation.method === 'ANY' ? '' : method}`);
        expect(body.documentation_url).toBe(PAGE);
        expect((await app.request({ method: method as Method, url: path })).body).toEqual(body);
      }
    }
    expect((await send('HEAD', '/2/news/search')).status).toBe(404);
  });

  it('are listed on a page linked from the reference, and in docs/not-implemented.md', async () => {
    const page = await app.get(PAGE);
    expect(page.status).toBe(200);
    for (const { path } of OPERATIONS) expect(page.body).toContain(path);
    expect((await app.get('/docs')).body).toContain(`href="${PAGE}"`);
    await expect(notImplementedMarkdown()).toMatchFileSnapshot('../../docs/not-implemented.md');
  });

  it('and implemented ones together cover a current published client', () => {
    const client = createRequire(import.meta.url).resolve('@xdevplatform/xdk');
    const called = new Set(
      [...readFileSync(client, 'utf8').matchAll(/let path = ["'](\/2\/[^"']+)["']/g)].map(
        ([, path]) => path ?? '',
      ),
    );
    expect(called.size).toBeGreaterThan(120);
    const known = [...endpoints, ...OPERATIONS].map(
      ({ path }) => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+').replace('*', '.*')}$`),
    );
    expect([...called].filter((path) => !known.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  it('and implemented ones together are the 178 operations of version 2.167, each once', () => {
    expect(OPERATIONS_2_167.length).toBe(178);
    const routes = [...endpoints, ...OPERATIONS];
    const found = OPERATIONS_2_167.map((operation) => ({
      ...operation,
      routes: routes.filter((route) => isRouteOf(operation, route)).length,
    }));
    expect(found.filter((operation) => operation.routes !== 1)).toEqual([]);
  });

  it('each have a reason', () => {
    for (const { title, reason } of MISSING_OPERATIONS)
      expect([title, reason]).toEqual([title, expect.stringMatching(/\w\.$/)]);
  });

  it('are disjoint from implemented ones', () => {
    const served = new Set(
      endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`),
    );
    const both = OPERATIONS.filter(({ method, path }) =>
      served.has(`${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`),
    );
    expect(both).toEqual([]);
  });
});

describe('paths that end with a malformed id', () => {
  it.each([
    ['GET', '/2/tweets/search'],
    ['GET', '/2/tweets/counts'],
    ['DELETE', '/2/tweets/sample'],
    ['POST', '/2/tweets/search'],
    ['PUT', '/2/tweets/sample10'],
    ['GET', '/2/users/compliance'],
    ['GET', '/2/users/nothing/here'],
    ['GET', '/2/nothing'],
  ])('%s %s is a prefix of other operations and returns 404', async (method, path) => {
    const { status, body } = await send(method, path);
    expect([status, body.title, body.errors]).toEqual([404, 'Not Found', undefined]);
  });

  it.each(['/2/users/abc', '/2/tweets/whatever', '/2/lists/xyz', '/2/users/searching'])(
    '%s returns 400',
    async (path) => {
      const { status, body } = await send('GET', path);
      expect(status).toBe(400);
      expect(body.errors[0].message).toMatch(/is not valid/);
    },
  );

  it('operations with such paths still work', async () => {
    expect((await app.get('/2/users/me', await app.as('alice'))).status).toBe(200);
    expect((await app.get('/2/spaces/search?query=x', app.bearer)).status).toBe(200);
    expect((await send('POST', '/2/users/me')).status).toBe(405);
    expect((await send('GET', '/2/media/subtitles')).status).toBe(405);
  });
});
