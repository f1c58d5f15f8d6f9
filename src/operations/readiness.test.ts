import { expect, it } from 'vitest';
import { createReadiness, type Check } from './readiness.js';

const silent = { warn: () => undefined };

it('checks run once for all calls within a second, and once while they run', async () => {
  let runs = 0;
  let nowMs = 0;
  const database: Check = async () => ({ ok: (runs += 1) > 0 });
  const ask = createReadiness({ checks: { database }, log: silent, nowMs: () => nowMs });
  await Promise.all([ask(), ask(), ask()]);
  nowMs = 999;
  expect(await ask()).toEqual({ ready: true, checks: { database: { ok: true } } });
  expect(runs).toBe(1);
  nowMs = 1_000;
  await ask();
  expect(runs).toBe(2);
});

it('a check that throws or hangs is not ready, and its error is not shown', async () => {
  const warned: unknown[] = [];
  const log = { warn: (fields: object) => warned.push(fields) };
  const failing: Check = () => Promise.reject(new Error('postgres://owner:secret@host'));
  const hanging: Check = () => new Promise(() => undefined);
  const checks = { failing, hanging };
  const report = await createReadiness({ checks, log, nowMs: () => 0, limitMs: 10 })();
  expect(report).toEqual({
    ready: false,
    checks: {
      failing: { ok: false, detail: 'failed; see the log' },
      hanging: { ok: false, detail: 'no answer within 0.01 s' },
    },
  });
  expect(warned).toHaveLength(1);
});
