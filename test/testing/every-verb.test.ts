import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SANDBOX_PATH } from '../../src/sandbox/operation.js';
import { sandboxOperations } from '../../src/sandbox/operations/all.js';
import type { Pipit } from '../../src/testing/start-pipit.js';
import { pythonWith } from '../support/python.js';
import { openTesting } from './open-testing.js';

/** Every operation of a sandbox can be reached over HTTP, on the command line, in `pipit/testing` and from Python. */

const ROOT = join(import.meta.dirname, '..', '..');
const { startPipit } = await openTesting();
const run = promisify(execFile);

/** A stand-in for a sandbox, which notes each request as `POST /faults` and answers with what any verb reads. */
async function startNotingSandbox() {
  const requests = new Set<string>();
  const lists = new Set(['/journal', '/snapshots', '/costs', '/faults', '/rate_limits', '/journal/wait']);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname.slice(SANDBOX_PATH.length);
    requests.add(`${request.method} ${path}`);
    const one = { id: 1, name: 'n', count: 1, cap: 1, cookie: 'c', access_token: 't', user: { id: '1' } };
    response.end(
      JSON.stringify({
        data: request.method === 'GET' && lists.has(path) ? [] : one,
        meta: { complete: true },
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Returns the operations that none of the requests asked for. */
function missingIn(requests: ReadonlySet<string>): string[] {
  return sandboxOperations
    .filter(({ method = 'GET', path }) => {
      // The names and ids that the tests below use.
      const asked = path.replace('{name}', 'n').replace('{id}', '1');
      return !requests.has(`${method} ${asked}`);
    })
    .map(({ operationId }) => operationId);
}

async function useEveryVerb(pipit: Pipit): Promise<void> {
  const user = pipit.user('alice');
  await pipit.state();
  await pipit.reset();
  await (await pipit.snapshot('n')).delete();
  await pipit.snapshots();
  await pipit.restore('n');
  await pipit.load({});
  await pipit.replaceWorld({});
  await pipit.exportWorld();
  await user.token();
  await user.signIn();
  const { clock, faults, journal, limits, usage, costs } = pipit;
  await clock.read();
  await clock.freeze();
  await clock.run();
  await clock.set('2030-01-01T00:00:00Z');
  await clock.advance('1h');
  await faults.add({ effect: { status: 500 } });
  await faults.get(1);
  await faults.list();
  await faults.remove(1);
  await faults.clear();
  await journal.find();
  await journal.get(1);
  await journal.count();
  await journal.waitFor({});
  await journal.har();
  await journal.clear();
  await limits.list();
  await limits.set({ operation: 'createTweet', remaining: 1 });
  await limits.exhaust();
  await limits.clear();
  await usage.exhaust();
  await costs.list();
  await costs.prices();
  await costs.setPrices({ post_create: 1 });
  await costs.setBudget({ limit: 1 });
}

const PYTHON = `
import sys
from pipit_testing import start_pipit

pipit = start_pipit(url=sys.argv[1])
user = pipit.users.alice
pipit.state(), pipit.reset(), pipit.snapshot("n"), pipit.snapshots(), pipit.restore("n"), pipit.delete_snapshot("n")
pipit.load({}), pipit.replace_world({}), pipit.export_world(), user.token(), user.sign_in()
pipit.clock.read(), pipit.clock.freeze(), pipit.clock.run(), pipit.clock.set("2030-01-01T00:00:00Z"), pipit.clock.advance("1h")
faults, journal, limits, usage, costs = pipit.faults, pipit.journal, pipit.limits, pipit.usage, pipit.costs
faults.add({"status": 500}), faults.get(1), faults.list(), faults.remove(1), faults.clear()
journal.find(), journal.get(1), journal.count(), journal.wait_for(), journal.har(), journal.clear()
limits.list(), limits.set("createTweet", 1), limits.exhaust(), limits.clear()
usage.exhaust(), costs.list(), costs.prices(), costs.set_prices(post_create=1), costs.set_budget(1)
`;

describe('every operation of a sandbox', () => {
  test('is a verb of pipit/testing', async () => {
    const { url, requests } = await startNotingSandbox();
    await useEveryVerb(await startPipit({ url }));
    expect(missingIn(requests)).toEqual([]);
  });

  const python = pythonWith('json');
  test.skipIf(python === undefined)('is a verb of the Python module', async () => {
    const { url, requests } = await startNotingSandbox();
    const env = { ...process.env, PYTHONPATH: join(ROOT, 'clients', 'python'), PYTHONDONTWRITEBYTECODE: '1' };
    await run(python ?? '', ['-c', PYTHON, url], { env });
    expect(missingIn(requests)).toEqual([]);
  });

  test('is a command of its own', () => {
    const commands = sandboxOperations.map(({ command }) => command);
    expect(commands).not.toContain(undefined);
    expect(new Set(commands).size).toBe(commands.length);
  });

  test('is in the table of docs/sandbox.md', async () => {
    const docs = await readFile(join(ROOT, 'docs', 'sandbox.md'), 'utf8');
    const rows = [...docs.matchAll(/^\| `(?<route>[A-Z]+ \/\S*)`/gm)].map(({ groups }) => groups?.route);
    expect(rows).toEqual(
      expect.arrayContaining(sandboxOperations.map(({ method = 'GET', path }) => `${method} ${path || '/'}`)),
    );
  });
});
