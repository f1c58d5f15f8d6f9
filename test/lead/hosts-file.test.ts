import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { canMount } from '../../src/lead/hosts-file-command.js';
import { temporaryFolder } from '../support/cli.js';
import { PROGRAM } from '../support/program.js';
import { run } from './support/run.js';

const hasPhp = spawnSync('php', ['--version']).status === 0;

const PHP = `
  $options = ['http' => ['header' => 'Authorization: Bearer ' . getenv('PIPIT_BEARER_TOKEN')]];
  $answer = file_get_contents('https://api.x.com/2/users/by/username/maya', false, stream_context_create($options));
  echo json_decode($answer)->data->username;
`;

describe.skipIf(!canMount())('--hosts-file (skipped without root on Linux)', () => {
  const leadTo = async (...command: string[]) => {
    await using folder = await temporaryFolder();
    const args = ['lead', '--authority', folder.path, '--hosts-file', '--', ...command];
    return run([process.execPath, ...PROGRAM, ...args]);
  };

  test.skipIf(!hasPhp)('leads a program that ignores proxies (skipped without PHP)', async () => {
    const before = await readFile('/etc/hosts', 'utf8');
    expect(await leadTo('php', '-r', PHP)).toEqual({ status: 0, stdout: 'maya', stderr: '' });
    expect(await readFile('/etc/hosts', 'utf8')).toBe(before);
  });

  test('shows the program an address of this machine for led hosts, and ends with its status', async () => {
    const script = 'getent ahostsv4 upload.twitter.com | cut -d" " -f1 | sort -u; exit 4';
    const { status, stdout } = await leadTo('sh', '-c', script);
    expect({ status, stdout }).toEqual({ status: 4, stdout: expect.stringMatching(/^127\.80\.\d+\.\d+\n$/) });
  });

  test('ends with 127 for an unknown program', async () => {
    expect(await leadTo('no-such-program')).toMatchObject({ status: 127 });
  });
});
