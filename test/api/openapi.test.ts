import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathParameters } from '../../src/http/router.js';
import { endpoints } from '../../src/api/route-table.js';
import { startTestApp, type TestApp } from '../support/app.js';

/** The OpenAPI document of a running server, as tools and generated clients use it. */

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly 'x-rate-limits': readonly unknown[];
}
interface Scheme {
  readonly type: string;
  readonly flows?: { readonly authorizationCode: { readonly scopes: Readonly<Record<string, string>> } };
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, Scheme>> };
}

let app: TestApp;
let document: Document;
let operations: { path: string; method: string; operation: Operation }[];

beforeAll(async () => {
  app = await startTestApp({ world: null });
  document = (await app.get('/2/openapi.json')).body as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
});
afterAll(() => app.close());

it('is valid according to a third-party validator', async () => {
  const result = await new Validator().validate(structuredClone({ ...document }));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(operations).toHaveLength(endpoints.length);
});

describe('for generated clients', () => {
  it('operation ids are unique and valid identifiers', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([]);
  });

  it('each placeholder of a path is a required parameter, and no parameter is repeated', () => {
    for (const { path, operation } of operations) {
      const { operationId, parameters } = operation;
      const inPath = parameters.filter((each) => each.in === 'path');
      expect(inPath.map(({ name }) => name).sort(), operationId).toEqual(pathParameters(path).sort());
      expect(
        inPath.every(({ required }) => required),
        operationId,
      ).toBe(true);
      const names = parameters.map((each) => `${each.in} ${each.name}`);
      expect(new Set(names).size, operationId).toBe(names.length);
    }
  });

  it('no two paths differ only in the names of placeholders', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{[^}]+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it('security refers to declared schemes and scopes', () => {
    const { securitySchemes } = document.components;
    for (const { operation } of operations) {
      for (const [name, scopes] of operation.security.flatMap((each) => Object.entries(each))) {
        const known = Object.keys(securitySchemes[name]?.flows?.authorizationCode.scopes ?? {});
        expect(securitySchemes[name], operation.operationId).toBeDefined();
        expect(
          scopes.filter((scope) => !known.includes(scope)),
          operation.operationId,
        ).toEqual([]);
      }
    }
  });

  it('each operation declares its error responses', () => {
    for (const { path, operation } of operations) {
      const { operationId, responses, security, requestBody } = operation;
      const isPublic = security.length === 0;
      const expected = [
        '400',
        ...(isPublic ? [] : ['401', '403']),
        ...(path.includes('{') ? ['404'] : []),
        ...(requestBody === undefined ? [] : ['413', '415']),
        ...(operation['x-rate-limits'].length > 0 ? ['429'] : []),
        '503',
        'default',
      ];
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(expected));
      expect(
        Object.keys(responses).some((status) => status.startsWith('2')),
        operationId,
      ).toBe(true);
      expect('401' in responses, operationId).toBe(!isPublic);
    }
  });
});
