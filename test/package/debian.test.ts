import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/cli.js';

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'build-deb.sh');
const MINUTES = 10 * 60_000;

/** A container with systemd as its first process, in which the package is installed: it needs the Node of this machine. */
const CONTAINER = process.env['PIPIT_TEST_DEBIAN'];
const ENGINE = process.env['PIPIT_TEST_CONTAINERS'] ?? 'docker';

const run = promisify(execFile);

/** Runs a script in the container; returns what it printed. */
async function inside(script: string): Promise<string> {
  const { stdout } = await run(ENGINE, ['exec', CONTAINER ?? '', 'bash', '-euc', script]);
  return stdout.trim();
}

/** Asks the service until it is ready, and returns the username that a token of the first start belongs to. */
const ASK = `
  curl --silent --show-error --retry 30 --retry-delay 1 --retry-all-errors --fail http://127.0.0.1:8080/readyz >/dev/null
  token=$(node -p 'require("/var/lib/pipit/credentials.json").oauth2.access_token')
  curl --silent --fail -H "Authorization: Bearer $token" http://127.0.0.1:8080/2/users/me`;

describe.skipIf(CONTAINER === undefined)(
  'the Debian package (skipped unless PIPIT_TEST_DEBIAN names a container with systemd)',
  () => {
    test(
      'is installed, upgraded, removed and purged, and serves in between',
      { timeout: MINUTES },
      async () => {
        await using folder = await temporaryFolder();
        const build = async (version: string): Promise<string> =>
          (await run(SCRIPT, [folder.path, version])).stdout.trim();
        const files = [await build('0.1.0'), await build('0.1.1')];
        for (const file of files) await run(ENGINE, ['cp', file, `${CONTAINER}:/tmp/`]);
        const install = (version: string) => inside(`apt-get install --yes /tmp/pipit_${version}_*.deb 2>&1`);

        await install('0.1.0');
        expect(JSON.parse(await inside(ASK)).data.username).toBe('owner');
        expect(await inside('ps -o user= -C node | sort -u')).toBe('pipit');
        expect(await inside('stat -c "%a %U" /var/lib/pipit /etc/pipit/pipit.env')).toBe(
          '700 pipit\n640 root',
        );
        const before = await inside('pipitctl user list');
        expect(before).toContain('@owner');

        await inside('echo "# kept" >> /etc/pipit/pipit.env');
        await install('0.1.1');
        await inside(ASK);
        expect(await inside('pipitctl user list; tail -n 1 /etc/pipit/pipit.env')).toBe(`${before}\n# kept`);

        await inside('apt-get remove --yes pipit 2>&1');
        expect(await inside('! command -v pipit; ! pgrep node; ls /var/lib/pipit')).toContain('pipit.db');
        await install('0.1.1');
        await inside(ASK);
        await inside('apt-get purge --yes pipit 2>&1');
        expect(
          await inside('ls -d /var/lib/pipit /etc/pipit /usr/lib/pipit 2>/dev/null || true; ! id pipit 2>&1'),
        ).not.toContain('/');
      },
    );

    const hasLintian = spawnSync('lintian', ['--version']).status === 0;
    test.skipIf(!hasLintian)('has no errors for lintian', { timeout: MINUTES }, async () => {
      await using folder = await temporaryFolder();
      const { stdout } = await run(SCRIPT, [folder.path]);
      await run('lintian', ['--allow-root', '--fail-on', 'error', stdout.trim()]);
    });
  },
);
