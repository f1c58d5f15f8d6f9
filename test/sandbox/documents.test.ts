import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { SANDBOX_PATH } from '../../src/sandbox/operation.js';
import { sandboxOperations } from '../../src/sandbox/operations/all.js';
import { startTestSandbox } from './support/sandbox.js';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'sandbox.md');

const named = sandboxOperations.map(({ method = 'GET', path }) => `${method} ${path === '' ? '/' : path}`);

test('docs/sandbox.md lists every operation, and no other one', async () => {
  const page = await readFile(PAGE, 'utf8');
  const cells = [...page.matchAll(/^\|([^|\n]+)\|/gm)].map(([, cell = '']) => cell);
  const listed = cells.flatMap((cell) =>
    [...cell.matchAll(/`((?:GET|POST|PUT|DELETE) \/\S*)`/g)].map(([, name]) => name),
  );
  expect([...listed].sort()).toEqual([...named].sort());
});

test('the OpenAPI document of the sandbox is valid and describes every operation', async () => {
  await using pipit = await startTestSandbox();
  const { status, body } = await pipit.control('GET', '/openapi.json');
  expect(status).toBe(200);
  expect(await new Validator().validate(body)).toEqual({ valid: true });
  const { paths } = body as { paths: Record<string, Record<string, unknown>> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice(SANDBOX_PATH.length) || '/'}`),
  );
  expect(described.sort()).toEqual([...named, 'GET /openapi.json'].sort());
});
