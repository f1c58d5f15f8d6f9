import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAuthority } from '../../src/lead/authority.js';
import { ORIGINAL_HOSTS } from '../../src/core/original-hosts.js';
import { temporaryFolder } from '../support/cli.js';

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe('the certificate authority', () => {
  test('keeps its key in a private file, out of repositories', async () => {
    await using folder = await temporaryFolder();
    await openAuthority(folder.file('lead'), () => NOW);
    const { mode } = await stat(folder.file('lead/authority-key.pem'));
    expect(mode & 0o777).toBe(0o600);
    expect(await readFile(folder.file('lead/.gitignore'), 'utf8')).toBe('*\n');
  });

  test('is created once, and again before it ends or when a file is damaged', async () => {
    await using folder = await temporaryFolder();
    const openAt = async (now: number) => (await openAuthority(folder.path, () => now)).certificate;
    const first = await openAt(NOW);
    expect(await openAt(NOW + 200 * DAY_MS)).toBe(first);
    const renewed = await openAt(NOW + 450 * DAY_MS);
    expect(renewed).not.toBe(first);
    await writeFile(folder.file('server.pem'), first);
    expect(await openAt(NOW + 450 * DAY_MS)).not.toBe(renewed);
  });

  test('certifies each host, for a time that every system accepts', async () => {
    await using folder = await temporaryFolder();
    const { certificate, server } = await openAuthority(folder.path, () => NOW);
    const leaf = new X509Certificate(server.certificate);
    expect(leaf.verify(new X509Certificate(certificate).publicKey)).toBe(true);
    expect(ORIGINAL_HOSTS.filter((host) => leaf.checkHost(host) === undefined)).toEqual([]);
    expect(leaf.checkHost('api.x.com.evil.test')).toBeUndefined();
    expect(Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)).toBeLessThanOrEqual(825 * DAY_MS);
  });

  test.skipIf(!hasOpenssl).each([
    ['DNS:api.x.com', true],
    ['DNS:bank.example', false],
    ['DNS:x.com.evil.test', false],
    ['DNS:notx.com', false],
    ['IP:127.0.0.1', false],
  ])('cannot certify other names: %s is accepted: %s (skipped without openssl)', async (name, isAccepted) => {
    await using folder = await temporaryFolder();
    const { file } = await openAuthority(folder.path, Date.now);
    const key = folder.file('other-key.pem');
    const extensions = folder.file('extensions');
    await writeFile(extensions, `subjectAltName=${name}`);
    const openssl = (...args: readonly string[]) => spawnSync('openssl', args, { encoding: 'utf8' });
    const request = folder.file('request.pem');
    openssl(
      'req',
      '-new',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/O=Other',
      '-keyout',
      key,
      '-out',
      request,
    );
    const signed = folder.file('signed.pem');
    openssl(
      'x509',
      '-req',
      '-in',
      request,
      '-CA',
      file,
      '-CAkey',
      join(folder.path, 'authority-key.pem'),
      '-extfile',
      extensions,
      '-out',
      signed,
      '-days',
      '1',
    );
    const { status, stderr } = openssl('verify', '-CAfile', file, signed);
    expect({ isAccepted: status === 0, stderr }).toEqual({
      isAccepted,
      stderr: isAccepted
        ? ''
        : expect.stringMatching(/permitted subtree violation|excluded subtree violation/),
    });
  });
});
