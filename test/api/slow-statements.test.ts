import { expect, test, vi } from 'vitest';
import { sql } from '../../src/database/sql.js';
import { startTestApp } from '../support/app.js';

test('slow statements have their plan at /slow-statements, without values, in and outside of transactions', async () => {
  const warned = vi.spyOn(console, 'error').mockReturnValue(undefined);
  await using app = await startTestApp({ flags: { metrics: 'public', slowStatementMs: '20' } });
  const { engine } = app.pipit.backend;
  const limit = 1_000_000;
  const secret = 'Kept out of logs';
  await engine.all(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${limit})
    SELECT COUNT(*) AS slow_read FROM n WHERE ${secret} <> ''`);
  await engine.tx('slow test', (tx) =>
    tx.run(sql`UPDATE apps SET name = ${secret} WHERE 0 < (
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${limit}) SELECT COUNT(*) FROM n)`),
  );
  const find = async (text: string) => {
    const { status, body } = await app.get('/slow-statements');
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(secret);
    return body.data.find(({ statement }: { readonly statement: string }) => statement.includes(text));
  };
  await vi.waitFor(async () => expect((await find('slow_read')).plan.length).toBeGreaterThan(1));
  expect(await find('slow_read')).toMatchObject({ count: 1, rows: 1 });
  expect((await find('slow_read')).longest_ms).toBeGreaterThanOrEqual(20);
  await vi.waitFor(async () => expect((await find('UPDATE apps')).plan.join('\n')).toMatch(/apps/));
  expect(warned).toHaveBeenCalledWith('a statement was slow', expect.objectContaining({ rows: 1 }));
  expect(JSON.stringify(warned.mock.calls)).not.toContain(secret);
  warned.mockRestore();
});
