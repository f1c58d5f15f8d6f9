import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { builtScript } from '../support/program.js';

const run = promisify(execFile);

test('the code that V8 compiled when the program was built is accepted by the next start', async () => {
  const folder = dirname(builtScript('cli.ts'));
  const { href } = pathToFileURL(join(folder, 'src', 'compiled-program.js'));
  const code = `const { loadProgram } = await import(${JSON.stringify(href)});
    console.log(loadProgram(${JSON.stringify(folder)}).script.cachedDataRejected);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code]);
  // Without compiled code it would be undefined.
  expect(stdout.trim()).toBe('false');
});
