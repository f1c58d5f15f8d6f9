import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/cli.js';

const FOLDER = join(import.meta.dirname, '..', '..', 'packaging', 'systemd');
const run = promisify(execFile);
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.skipIf(!hasSystemd)('the unit (skipped where systemd is not installed)', () => {
  test('is valid together with the file of secrets', async () => {
    await using folder = await temporaryFolder();
    const unit = await readFile(join(FOLDER, 'pipit.service'), 'utf8');
    const secrets = await readFile(join(FOLDER, 'secrets.conf'), 'utf8');
    // The program and its manual are not installed here.
    const here = unit.replace('/usr/bin/pipit', process.execPath).replace(/^Documentation=.*\n/m, '');
    const all = secrets.replaceAll(/^#(?=[A-Z]\w+=)/gm, '');
    await writeFile(folder.file('pipit.service'), `${here}\n${all}`);
    const { stdout, stderr } = await run('systemd-analyze', ['verify', folder.file('pipit.service')]);
    expect(stdout + stderr).toBe('');
  });

  test('gives a server little that it does not need', async () => {
    const args = ['security', '--offline=yes', '--threshold=15', join(FOLDER, 'pipit.service')];
    expect((await run('systemd-analyze', args)).stdout).toMatch(/Overall exposure level .*: 1\.[0-5] OK/);
  });
});
