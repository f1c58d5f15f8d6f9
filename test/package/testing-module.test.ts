import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stagePackage, type StagedPackage } from './staged-package.js';

const ROOT = join(import.meta.dirname, '..', '..');
const EXAMPLES = join(ROOT, 'examples', 'testing');
const run = promisify(execFile);

let staged: StagedPackage;
beforeAll(async () => {
  staged = await stagePackage();
  // The project of a user, of ES modules.
  await writeFile(join(staged.project, 'package.json'), JSON.stringify({ type: 'module' }));
});
afterAll(() => staged[Symbol.asyncDispose]());

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

test.each(['use.ts', 'use.cts'])(
  'the types of the installed package name the users of a world, in %s',
  async (name) => {
    await writeFile(join(staged.project, name), TYPED_USE);
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
      files: [name],
    };
    await writeFile(join(staged.project, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', staged.project]).catch(
      (failure: { readonly stdout: string }) => failure,
    );
    expect(stdout).toBe('');
  },
);
