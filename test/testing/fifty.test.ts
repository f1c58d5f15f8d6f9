import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { builtScript } from '../support/program.js';

const run = promisify(execFile);

test.skipIf(process.platform === 'win32')(
  'fifty tests on a fresh world each, with the start of the server, take less than five seconds of CPU',
  async () => {
    // Time on the clock would depend on what else the machine does. The second line of `times` counts ended children.
    const script = '"$0" "$1" && times';
    const program = builtScript('fifty-process.ts');
    const { stdout } = await run('bash', ['-c', script, process.execPath, program]);
    const [user = 0, system = 0] = (stdout.trim().split('\n')[1] ?? '').split(' ').map(secondsOf);
    expect(user + system).toBeGreaterThan(0.1);
    expect(user + system).toBeLessThan(5);
  },
);

/** Returns the seconds of `0m1.234s`. */
function secondsOf(text: string): number {
  const [, minutes = '', seconds = ''] = /^(\d+)m([\d.]+)s$/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
