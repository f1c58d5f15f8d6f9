import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingNamed, SETTING_NAMES } from '../../src/server/config.js';
import { flagName, variableName } from '../../src/server/setting.js';
import { runCli } from '../support/cli.js';
import { formatted } from '../support/formatted.js';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'configuration.md');

const HEAD = `# Settings of the server

Each setting is an option of \`pipit serve\` and an environment variable. The option takes precedence over the variable, and an
empty variable counts as absent. In the variable of a repeatable option, commas separate the values. The variable of an option
without a value is \`true\` or \`false\`. The server reports every invalid setting before it starts. It warns of variables that
begin with \`PIPIT_\` and belong to no setting.

| option | variable | default | what it does |
| --- | --- | --- | --- |
`;

const TAIL = `
## Behind a proxy

The server does not speak TLS. For https, run it behind a proxy and set \`--base-url https://…\`: every response then carries
\`Strict-Transport-Security\`, and cookies are \`Secure\`.

Declare the proxy with \`--trusted-proxy\`. Wrong passwords are counted by the address of the client. Without the declaration all
clients have the proxy's address, and anyone who enters wrong passwords prevents everyone else from signing in. The start and
\`pipit doctor\` warn of this, and a server warns once of forwarding headers from an undeclared peer.

The proxy must set \`X-Forwarded-For\`, or remove it and set \`Forwarded\`. The server understands ports, \`unknown\` and \`_name\`. A
client that the proxy does not name counts as the proxy.
`;

/** Returns the page generated from the settings; `npx vitest run test/cli/settings.test.ts -u` writes it. */
function configurationPage(): string {
  const rows = SETTING_NAMES.map((name) => {
    const setting = settingNamed(name);
    const flag = setting.kind === 'switch' ? flagName(name) : `${flagName(name)} <${setting.value}>`;
    const repeats = setting.kind === 'list' ? ' (repeatable)' : '';
    const initial = setting.kind === 'switch' ? 'off' : (setting.shownDefault ?? '');
    return `| \`${flag}\` | \`${variableName(name)}\` | ${initial && `\`${initial}\``} | ${setting.help}${repeats} |`;
  });
  return HEAD + rows.join('\n') + '\n' + TAIL;
}

test('docs/configuration.md lists every setting with option, variable and default', async () => {
  await expect(await formatted(PAGE, configurationPage())).toMatchFileSnapshot(PAGE);
});

test('the help of serve lists option and variable of every setting', async () => {
  const { stdout, status } = await runCli(['serve', '--help']);
  expect(status).toBe(0);
  for (const name of SETTING_NAMES) {
    expect(stdout).toContain(flagName(name));
    expect(stdout).toContain(variableName(name));
  }
  for (const args of [['user', 'list'], ['doctor'], ['backup', 'create']])
    expect((await runCli([...args, '--help'])).stdout).toContain('PIPIT_DATABASE');
});

test('an unknown variable gives a warning with a suggestion', async () => {
  const env = { PIPIT_DATABSE: 'sqlite:x.db', PIPIT_COLOUR: 'blue', PIPIT_PORT: 'x', PIPIT_TEST_X: '' };
  const { status, stderr } = await runCli(['serve'], { env });
  expect(status).toBe(2);
  expect(stderr.split('\n')).toEqual([
    'pipit: warning: PIPIT_DATABSE is not a Pipit variable; did you mean PIPIT_DATABASE?',
    'pipit: warning: PIPIT_COLOUR is not a Pipit variable',
    'pipit: PIPIT_PORT must be a port from 0 to 65535, not "x"',
  ]);
});

test('--version prints the version', async () => {
  const manifest = await import('../../package.json', { with: { type: 'json' } });
  for (const flag of ['--version', '-V'])
    expect(await runCli([flag])).toEqual({ status: 0, stdout: manifest.default.version, stderr: '' });
});
