import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/cli.js';
import { stagePackage, type StagedPackage } from './staged-package.js';

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

let staged: StagedPackage;
beforeAll(async () => {
  staged = await stagePackage();
});
afterAll(() => staged[Symbol.asyncDispose]());

const ALLOWED = [
  /^package\.json$/,
  /^README\.md$/,
  /^dist\/(commonjs\/)?[\w-]+\.js$/,
  /^dist\/lead-node\.cjs$/,
  /^dist\/python-preload\/sitecustomize\.py$/,
  /^dist\/(commonjs|testing)\/[\w-]+\.d\.ts$/,
  /^dist\/commonjs\/package\.json$/,
  /^examples\/\w+\.json$/,
  /^docs\/world-file\.schema\.json$/,
];

test('the package contains the program, the example worlds and their schema, and nothing else', () => {
  const { files } = staged;
  expect(files.filter((file) => !ALLOWED.some((pattern) => pattern.test(file)))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['dist/cli.js', 'examples/demo.json', 'package.json']));
});

test('no packed file names a folder of the machine that built it', async () => {
  const places = [ROOT, join(homedir(), '/'), staged.project];
  for (const file of staged.files) {
    const text = await readFile(join(staged.folder, file), 'utf8');
    for (const place of places) expect(text.includes(place), `${place} in ${file}`).toBe(false);
  }
});

test('the program of an installed package serves the demo world from an empty folder', async () => {
  await using folder = await temporaryFolder();
  const program = join(staged.folder, 'dist', 'cli.js');
  const args = ['serve', '--port', '0', '--database', 'sqlite::memory:', '--load', 'demo', '--json'];
  const server = spawn(process.execPath, [program, ...args], { cwd: folder.path });
  const closed = once(server, 'close');
  try {
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const headers = { authorization: 'Bearer demo-bearer-token' };
    const answer = await fetch(`${url}/2/users/by/username/maya`, { headers });
    expect(await answer.json()).toMatchObject({ data: { name: 'Maya Okafor' } });
  } finally {
    server.kill();
    await closed;
  }
});

test('an installed package runs no build for those who install it', async () => {
  const manifest = JSON.parse(await readFile(join(staged.folder, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
    readonly bin: Readonly<Record<string, string>>;
    readonly engines: unknown;
    readonly license: unknown;
  };
  for (const script of ['preinstall', 'install', 'postinstall'])
    expect(manifest.scripts).not.toHaveProperty(script);
  expect(manifest).toMatchObject({ engines: { node: '>=20.19' }, license: 'UNLICENSED' });
  const { stdout } = await run(process.execPath, [
    join(staged.folder, manifest.bin['pipit'] ?? ''),
    '--version',
  ]);
  expect(stdout.trim()).toBe('0.1.0');
});
