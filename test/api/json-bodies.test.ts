import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { pathParameters } from '../../src/http/router.js';
import { exampleOf } from '../../src/api/reference/examples.js';
import { endpoints } from '../../src/api/route-table.js';
import { USERS } from '../support/world.js';
import { openUploads, type Uploads } from './support/uploads.js';

/** JSON bodies with a byte order mark and with deep nesting. */

let app: Uploads;
beforeAll(async () => {
  app = await openUploads();
});
afterAll(() => app.close());

const BYTE_ORDER_MARK = '\uFEFF';

function nested(depth: number): string {
  return '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
}

/** Returns an example of the JSON body of an endpoint, or undefined if it takes none. */
function jsonOf({ body }: AnyEndpoint): string | undefined {
  if (body?.kind === 'json') return JSON.stringify(exampleOf(body.object.schema));
  return body?.content['application/json'] && '{"media_id":"404","command":"FINALIZE"}';
}

const cases = endpoints.flatMap((endpoint) => {
  const json = jsonOf(endpoint);
  return json === undefined ? [] : [{ name: endpoint.operationId, endpoint, json }];
});

async function send({ method, path, access }: AnyEndpoint, json: string) {
  const url = pathParameters(path).reduce((filled, name) => {
    const isOwn = access !== 'public' && access.ownId === name;
    return filled.replace(`{${name}}`, isOwn ? USERS.alice : '404');
  }, path);
  const isSigned = access !== 'public' && access.contexts.includes('oauth1');
  const credentials = isSigned ? await app.signed(method, url) : { authorization: `Bearer ${app.bearer}` };
  const headers = { ...credentials, 'content-type': 'application/json' };
  return app.request({ method, url, headers, payload: json });
}

const errorsOf = (body: unknown): readonly { readonly message: string }[] =>
  (body as { readonly errors?: readonly { readonly message: string }[] }).errors ?? [];

describe('a JSON body', () => {
  test.each(cases)('of $name that is nested too deeply returns 400', async ({ endpoint }) => {
    for (const depth of [21, 100_000]) {
      const { status, body } = await send(endpoint, nested(depth));
      expect(status).toBe(400);
      expect(errorsOf(body).map(({ message }) => message)).toContain('$: is nested too deeply');
    }
  });

  test.each(cases)('of $name may start with a byte order mark', async ({ endpoint, json }) => {
    const [plain, marked] = [await send(endpoint, json), await send(endpoint, BYTE_ORDER_MARK + json)];
    expect(marked.status).toBeLessThan(500);
    // The second request may find the effect of the first.
    if (plain.status >= 400) expect([marked.status, marked.body]).toEqual([plain.status, plain.body]);
  });

  test('may contain brackets in strings and twenty levels', async () => {
    const alice = await app.as('alice');
    const text = await app.post('/2/tweets', alice, { text: '[{'.repeat(60) });
    expect(text.status).toBe(201);
    const headers = { authorization: `Bearer ${alice}`, 'content-type': 'application/json' };
    const { body } = await app.request({ method: 'POST', url: '/2/tweets', headers, payload: nested(20) });
    expect(errorsOf(body).map(({ message }) => message)).not.toContain('$: is nested too deeply');
  });
});

describe('the JSON body of a token request', () => {
  test.each(['/2/oauth2/token', '/2/oauth2/revoke'])('to %s has the same limits', async (url) => {
    const headers = { 'content-type': 'application/json' };
    const deep = await app.request({ method: 'POST', url, headers, payload: nested(21) });
    expect([deep.status, deep.body]).toEqual([
      400,
      { error: 'invalid_request', error_description: '$: is nested too deeply' },
    ]);
    const payload = `${BYTE_ORDER_MARK}{"client_id":"testclient","grant_type":"other"}`;
    const { status, body } = await app.request({ method: 'POST', url, headers, payload });
    expect([status, body.error_description]).not.toEqual([400, 'Could not parse the request body as JSON.']);
    expect(status).toBeLessThan(500);
  });
});
