import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/cli.js';
import { PROGRAM } from '../support/program.js';
import { pythonWith } from '../support/python.js';

const ROOT = join(import.meta.dirname, '..', '..');
const MODULE = join(ROOT, 'clients', 'python');
const EXAMPLES = join(ROOT, 'examples', 'testing');
const run = promisify(execFile);

const pytest = pythonWith('pytest');
const tweepy = pytest === undefined ? undefined : pythonWith('pytest, tweepy');
if (pytest === undefined) console.warn('skipped: the tests of clients/python need pytest (python3-pytest)');
if (tweepy === undefined)
  console.warn('skipped: an example needs tweepy and pytest (python3-tweepy, python3-pytest)');

/** Arguments of Python that run pytest with the module's fixture, as if it were installed. */
const PYTEST = ['-m', 'pytest', '-q', '-p', 'pipit_testing.pytest_plugin', '-p', 'no:cacheprovider'];
const COMMAND = [process.execPath, ...PROGRAM].map((part) => `'${part}'`).join(' ');

const ENV = {
  ...process.env,
  PYTHONPATH: MODULE,
  PYTHONDONTWRITEBYTECODE: '1',
  PIPIT_COMMAND: COMMAND,
};

test.skipIf(pytest === undefined)('the tests of the Python module pass', async () => {
  const { stdout } = await run(pytest ?? '', [...PYTEST, join(MODULE, 'tests')], { env: ENV });
  expect(stdout).toMatch(/\b13 passed/);
});

test.skipIf(pytest === undefined)('the example for pytest passes', async () => {
  const { stdout } = await run(pytest ?? '', [...PYTEST, join(EXAMPLES, 'test_bot.py')], { env: ENV });
  expect(stdout).toMatch(/\b2 passed/);
});

test.skipIf(tweepy === undefined)('the example with tweepy passes under pipit lead', async () => {
  await using folder = await temporaryFolder();
  const led = [...PROGRAM, 'lead', '--', tweepy ?? '', ...PYTEST, join(EXAMPLES, 'test_tweepy.py')];
  const { stdout } = await run(process.execPath, led, { cwd: folder.path, env: ENV });
  expect(stdout).toMatch(/\b1 passed/);
});
