import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/server/config.js';
import { runCli } from '../support/cli.js';

const ROOT = join(import.meta.dirname, '..', '..');

async function textOf(file: string): Promise<string> {
  return readFile(join(ROOT, file), 'utf8');
}

/** Returns the instructions of a Dockerfile with their arguments. */
async function instructions(): Promise<readonly (readonly [string, string])[]> {
  const lines = (await textOf('Dockerfile')).replaceAll('\\\n', ' ').split('\n');
  return lines
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const);
}

test('the Dockerfile copies only files that exist and that .dockerignore lets through', async () => {
  const allowed = (await textOf('.dockerignore'))
    .split('\n')
    .flatMap((line) => line.match(/^!(.+)$/)?.[1] ?? []);
  const copied = (await instructions())
    .filter(([name, rest]) => name === 'COPY' && !rest.startsWith('--from'))
    .flatMap(([, rest]) => rest.trim().split(/\s+/).slice(0, -1));
  expect([...new Set(copied)].sort()).toEqual([...allowed].sort());
  for (const name of copied) expect(existsSync(join(ROOT, name)), name).toBe(true);
});

test('the image serves as another user than root, on its volume, with a health check', async () => {
  const all = await instructions();
  const last = (wanted: string) => all.filter(([name]) => name === wanted).at(-1)?.[1];
  expect(last('USER')).toBe('node');
  expect(last('VOLUME')).toBe('/data');
  // The folder `data` of a server over PostgreSQL is then the volume, too.
  expect(last('WORKDIR')).toBe('/');
  expect(last('HEALTHCHECK')).toContain('/readyz');
  expect(JSON.parse(last('ENTRYPOINT') ?? '')).toEqual(['pipit']);
  const env = Object.fromEntries((last('ENV') ?? '').split(' ').map((pair) => pair.split('=')));
  expect(readConfig({}, env)).toMatchObject({
    host: '0.0.0.0',
    port: 8080,
    database: 'sqlite:/data/pipit.db',
  });
});

test('the Dockerfile runs only scripts of package.json', async () => {
  const { scripts } = JSON.parse(await textOf('package.json')) as { readonly scripts: object };
  const names = [...(await textOf('Dockerfile')).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
  expect(names).toEqual(['build']);
  for (const name of names) expect(scripts).toHaveProperty([name]);
});

test('compose.yaml names a volume that exists, an address of this machine only and known settings', async () => {
  const { services, volumes } = parse(await textOf('compose.yaml')) as {
    readonly services: {
      readonly pipit: { ports: string[]; volumes: string[]; environment: Record<string, string> };
    };
    readonly volumes: object;
  };
  expect(services.pipit.ports).toEqual(['127.0.0.1:${PORT:-8080}:8080']);
  expect(services.pipit.volumes).toEqual(['data:/data']);
  expect(volumes).toHaveProperty('data');
  const environment = Object.entries(services.pipit.environment);
  const onDefaults = environment.map(([name, value]) => [name, value.replace('${PORT:-8080}', '8080')]);
  expect(readConfig({}, Object.fromEntries(onDefaults)).baseUrl).toBe('http://localhost:8080');
});

interface Workflow {
  readonly on: readonly string[];
  readonly permissions: unknown;
  readonly jobs: { readonly test: { readonly steps: readonly { readonly run?: string }[] } };
}

test('the workflow for GitHub Actions needs no secret and runs commands that exist', async () => {
  const text = await textOf('examples/github-actions.yml');
  const workflow = parse(text) as Workflow;
  expect(workflow).toMatchObject({ on: ['push', 'pull_request'], permissions: { contents: 'read' } });
  expect(text).not.toContain('secrets.');
  const commands = workflow.jobs.test.steps.flatMap(
    ({ run }) => /^npx pipit (\w+)/.exec(run ?? '')?.[1] ?? [],
  );
  expect(commands).toHaveLength(1);
  for (const command of commands) {
    expect((await runCli([command, '--help'])).stdout).toContain(`pipit ${command}`);
  }
});
