import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawSql } from '../../src/database/sql.js';
import { firstIdAt } from '../../src/core/snowflake.js';
import { countDays } from '../../src/services/overview/count-days.js';
import { recordSignUp } from '../../src/services/audit/record-sign-up.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser, type Browser } from './support/browser.js';
import { expectValidPage, linksOf, makeOperator, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** The overview of the operators' desk, and the figures that it shows. */

const DAY_MS = 24 * 3_600_000;
const TODAY_MS = Date.UTC(2022, 9, 7);

let nowMs = TODAY_MS + DAY_MS / 2;
let app: TestApp;
let operator: Browser;

const world = () => {
  const idAt = (daysAgo: number, n: number) => String(firstIdAt(TODAY_MS - daysAgo * DAY_MS) + BigInt(n));
  const posts = [
    { id: idAt(0, 1), author: 'alice', text: 'today' },
    { id: idAt(0, 2), author: 'alice', text: 'today again' },
    { id: idAt(0, 3), author: 'bob', text: 'today too' },
    { id: idAt(1, 1), author: 'bob', text: 'yesterday' },
    { id: idAt(31, 1), author: 'bob', text: 'long ago' },
  ];
  return { ...webWorld(), posts, likes: [], bookmarks: [] };
};

beforeAll(async () => {
  app = await startTestApp({ world: world(), clock: () => nowMs });
  await makeOperator(app, 'alice');
  operator = openBrowser(app);
  await operator.signIn('alice', PASSWORDS.alice);
});
afterAll(() => app.close());

const count = () => countDays(app.pipit.backend, new AbortController().signal);
const figures = async () => {
  const rows = await app.pipit.backend.engine.all(
    rawSql('SELECT day, name, value, counted_at FROM day_figures WHERE value > 0 ORDER BY day, name'),
  );
  return rows.map(
    (row) => `${Number(row['day']) - TODAY_MS / DAY_MS} ${String(row['name'])} ${String(row['value'])}`,
  );
};

test('the first page of the desk says what is not counted yet, and shows health, storage and work', async () => {
  const page = await operator.get('/operator-desk');
  expectValidPage(page, 'overview');
  const text = textOf(page);
  expect(text).toContain('Nothing was counted yet.');
  expect(text).toMatch(/The server is healthy Database good .*Version \d/);
  expect(text).toMatch(/Database [\d.]+ [KM]B .*Jobs waiting \d+ .*Open streams 0 Webhooks 0/);
  expect(linksOf(page)).toEqual(
    expect.arrayContaining(['/operator-desk/users', '/operator-desk/reports', '/operator-desk/audit']),
  );
});

test('days are counted by their ids, final ones once, and shown as plots with their numbers', async () => {
  await count();
  const today = ['0 authors 2', '0 people 5', '0 posts 3'];
  expect(await figures()).toEqual(['-1 authors 1', '-1 posts 1', ...today]);
  const { engine } = app.pipit.backend;
  await engine.tx('lose', (tx) => tx.run(rawSql('DELETE FROM posts')));
  await count();
  expect(await figures()).toEqual(['-1 authors 1', '-1 posts 1', '0 people 5']);
  nowMs += DAY_MS;
  await count();
  expect(await figures()).toEqual(['-1 authors 1', '-1 posts 1', '0 people 5', '1 people 5']);
  const page = await operator.get('/operator-desk');
  expectValidPage(page, 'overview');
  expect(page.text).toContain('<title>2022-10-06: 1</title>');
  expect(textOf(page)).toMatch(/People 5 .*Posts a day .*2022-10-06 1 1 0/);
});

test('a server that starts with another sign-up says so in the audit log, once', async () => {
  const { backend } = app.pipit;
  await recordSignUp(backend, 'closed');
  await Promise.all([recordSignUp(backend, 'open'), recordSignUp(backend, 'open')]);
  await recordSignUp(backend, 'closed');
  const text = textOf(await operator.get('/operator-desk/audit')).split(' Filter ')[1] ?? '';
  expect(text.match(/Command line ?: Changed who may sign up/g)).toHaveLength(2);
  expect(text).toMatch(/closed .* open/);
});

test('only operators see it', async () => {
  const bob = openBrowser(app);
  await bob.signIn('bob', PASSWORDS.bob);
  expect((await bob.get('/operator-desk')).status).toBe(403);
});
