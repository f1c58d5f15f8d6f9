import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/cli.js';
import { stagePackage, type StagedPackage } from './staged-package.js';

const ROOT = join(import.meta.dirname, '..', '..');
const EXAMPLES = join(ROOT, 'examples', 'testing');
const run = promisify(execFile);

/** Both halves of this file need it, and it takes seconds. */
let staged: StagedPackage;
beforeAll(async () => {
  staged = await stagePackage();
  // The project of a user, of ES modules.
  await writeFile(join(staged.project, 'package.json'), JSON.stringify({ type: 'module' }));
});
afterAll(() => staged[Symbol.asyncDispose]());

const ALLOWED = [
  /^package\.json$/,
  /^README\.md$/,
  /^dist\/(commonjs\/)?[\w-]+\.js$/,
  /^dist\/(lead-node|program)\.cjs$/,
  /^dist\/program-v[\w.-]+\.cache$/,
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

test('no class of errors was renamed to be unique in the program: errors show the names of their classes', async () => {
  const program = await readFile(join(staged.folder, 'dist', 'program.cjs'), 'utf8');
  const named = program.match(/\w+ = class extends (?:NamedError|PipitError|StorageUnavailable)\b/g) ?? [];
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((each) => /^\w*\d /.test(each))).toEqual([]);
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

/** Copies an example into the project that has the package installed. */
async function place(name: string): Promise<string> {
  const target = join(staged.project, name);
  await cp(join(EXAMPLES, name), target);
  return target;
}

/** The environment without what this test run has added. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const isOwn = (name: string) =>
    /^(NODE_OPTIONS|NODE_TEST_CONTEXT|NODE_ENV|TEST|VITEST.*|PIPIT_.*)$/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOwn(name)));
}

/** Runs a file with node:test. */
function runNodeTest(file: string) {
  return run(process.execPath, ['--test', file], { cwd: staged.project, env: plainEnvironment() });
}

/** Runs a file of the project with vitest; returns the output. */
async function runVitest(file: string): Promise<string> {
  // By default vitest leaves out node_modules, where this project is.
  const config = `export default { test: { exclude: [], pool: 'forks', testTimeout: 30_000 } };`;
  await writeFile(join(staged.project, 'vitest.config.mjs'), config);
  const program = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [program, 'run', file, '--no-color'];
  return (await run(process.execPath, args, { cwd: staged.project, env: plainEnvironment() })).stdout;
}

test('the example for node:test passes with the installed package', async () => {
  const file = await place('node.test.mjs');
  expect((await runNodeTest(file)).stdout).toMatch(/# pass 2|ℹ pass 2/);
});

test('the example for vitest passes with the installed package', async () => {
  await place('vitest.test.mjs');
  expect(await runVitest('vitest.test.mjs')).toContain('2 passed');
});

// Jest itself would be 186 more packages for this one test; vitest has the same globals.
test('the example for jest passes with the module of CommonJS', async () => {
  await place('jest.test.cjs');
  const globals = `import { createRequire } from 'node:module';
    import * as vitest from 'vitest';
    Object.assign(globalThis, vitest);
    createRequire(import.meta.url)('./jest.test.cjs');`;
  await writeFile(join(staged.project, 'jest.test.mjs'), globals);
  expect(await runVitest('jest.test.mjs')).toContain('1 passed');
});

/** A use of the module that does not compile if its types are missing, or looser than the worlds. */
const TYPED_USE = `import { startPipit, type User } from 'pipit/testing';

export async function main(): Promise<void> {
  const pipit = await startPipit({ world: { users: [{ id: '7', username: 'wren', name: 'Wren' }] } });
  const wren: User = pipit.users.wren;
  // @ts-expect-error: the world has no such user.
  pipit.users.nobody;
  const post = await wren.post('Typed');
  const id: string = post.id;
  await pipit.clock.advance('2h');
  const { time } = await pipit.clock.read();
  const small = await startPipit();
  await small.users.alice.like(id + time);
  const demo = await startPipit({ world: 'demo' });
  await demo.user('maya').posts();
}
`;

test('the types of the installed package name the users of a world, in modules of both kinds', async () => {
  const files = ['use.ts', 'use.cts'];
  for (const name of files) await writeFile(join(staged.project, name), TYPED_USE);
  const config = {
    compilerOptions: {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      types: ['node'],
      // Types of users are checked with their own settings, declarations of this package included.
      skipLibCheck: false,
    },
    files,
  };
  await writeFile(join(staged.project, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', staged.project]).catch(
    (failure: { readonly stdout: string }) => failure,
  );
  expect(stdout).toBe('');
});
