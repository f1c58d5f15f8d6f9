import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { hasPromtool, promtool } from '../support/promtool.js';
import { temporaryFolder } from '../support/cli.js';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'examples', 'monitoring');

/** What a server on another database has, or one on another system. */
const ELSEWHERE = new Set([
  'pipit_database_log_bytes',
  'pipit_database_connections',
  'pipit_pool_connections',
  'pipit_pool_idle_connections',
  'pipit_pool_waiting',
  'process_open_fds',
  'process_max_fds',
]);

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const textOf = (file: string) => readFile(join(FOLDER, file), 'utf8');
const panelsOf = async (): Promise<Panel[]> => JSON.parse(await textOf('grafana-dashboard.json')).panels;
const queriesOf = async (): Promise<string[]> =>
  (await panelsOf()).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const rulesOf = async (): Promise<Rule[]> => parse(await textOf('alerts.yml')).groups[0].rules;

/** Returns the metrics that a query reads, as `/metrics` names their families. */
function metricsIn(query: string): string[] {
  const names = query.match(/\b(?:pipit|process|nodejs)_[a-z_]+/g) ?? [];
  return names.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
}

describe('a server that has worked', () => {
  let app: TestApp;
  let metrics: string;
  let served: Set<string>;
  beforeAll(async () => {
    app = await startTestApp({ flags: { metrics: 'public' } });
    const alice = await app.as('alice');
    expect((await app.post('/2/tweets', alice, { text: 'measured' })).status).toBe(201);
    await app.get('/2/users/me', alice);
    await app.pipit.jobs.worker.runDue();
    await app.pipit.webhooks.runDue();
    metrics = String((await app.get('/metrics')).body);
    served = new Set([...metrics.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name));
  });
  afterAll(() => app.close());

  test('has every metric of the dashboard and of the alerts', async () => {
    const queries = [...(await queriesOf()), ...(await rulesOf()).map(({ expr }) => expr)];
    expect(queries.length).toBeGreaterThan(60);
    const named = new Set(queries.flatMap(metricsIn));
    expect([...named].filter((name) => !served.has(name) && !ELSEWHERE.has(name))).toEqual([]);
  });

  test('has the metrics that docs/operations.md lists, and no others', async () => {
    const page = await readFile(join(ROOT, 'docs', 'operations.md'), 'utf8');
    const listed = new Set(page.match(/(?<=`)(?:pipit|process|nodejs)_[a-z_]+(?=`)/g));
    expect([...served].filter((name) => !listed.has(name))).toEqual([]);
    expect([...listed].filter((name) => !served.has(name) && !ELSEWHERE.has(name))).toEqual([]);
  });

  test.skipIf(!hasPromtool)(
    'has metrics without a fault for promtool (skipped where Debian’s prometheus is not installed)',
    async () => {
      expect(await promtool(['check', 'metrics'], metrics)).toEqual({ status: 0, output: '' });
    },
  );
});

test('the dashboard is one that Grafana opens: ids are unique and no panel lies over another', async () => {
  const board = JSON.parse(await textOf('grafana-dashboard.json'));
  expect(board).toMatchObject({ title: 'Pipit', uid: 'pipit', schemaVersion: 39 });
  const variables = board.templating.list.map(({ name }: { readonly name: string }) => name);
  expect(variables).toEqual(['datasource', 'job']);
  const panels = await panelsOf();
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const taken = new Set<string>();
  for (const { type, title, gridPos, targets = [] } of panels) {
    expect(['row', 'timeseries'], title).toContain(type);
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    expect(targets.length > 0, title).toBe(type !== 'row');
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(taken.has(`${x} ${y}`), `${title} lies over another panel`).toBe(false);
        taken.add(`${x} ${y}`);
      }
  }
});

test('every alert has a summary and a section in docs/operations.md', async () => {
  const page = await readFile(join(ROOT, 'docs', 'operations.md'), 'utf8');
  for (const { alert, annotations } of await rulesOf()) {
    expect(annotations.summary).toMatch(/\w/);
    expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(page).toContain(`\n### ${alert}\n`);
  }
});

describe.skipIf(!hasPromtool)('promtool (skipped where Debian’s prometheus is not installed)', () => {
  test('accepts the alerts and the configuration, and their tests succeed', async () => {
    for (const [command, file] of [
      ['test', 'alerts-test.yml'],
      ['check', 'prometheus.yml'],
    ] as const) {
      const what = command === 'test' ? 'rules' : 'config';
      const { status, output } = await promtool([command, what, join(FOLDER, file)]);
      expect(output).toContain('SUCCESS');
      expect(status).toBe(0);
    }
  });

  test('accepts every query of the dashboard', async () => {
    await using folder = await temporaryFolder();
    const rules = (await queriesOf()).map((expr, index) => ({
      record: `query_${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    await writeFile(folder.file('queries.yml'), JSON.stringify({ groups: [{ name: 'queries', rules }] }));
    const { status, output } = await promtool(['check', 'rules', folder.file('queries.yml')]);
    expect(output).toContain(`${rules.length} rules found`);
    expect(status).toBe(0);
  });
});
