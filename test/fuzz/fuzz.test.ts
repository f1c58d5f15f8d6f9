import { expect, test } from 'vitest';
import { PROGRAM } from '../support/program.js';
import { fuzz } from './fuzz.js';

test('malformed requests of every kind cause no server error', { timeout: 120_000 }, async () => {
  const options = { seed: 1, requests: 600, milliseconds: 90_000, program: PROGRAM };
  const { statuses, findings } = await fuzz({ ...options, report: () => undefined });
  expect(findings).toEqual([]);
  // Requests reach handlers with every type of credential.
  for (const status of [200, 201, 400, 401, 403, 404])
    expect(statuses.get(status), `${status}`).toBeGreaterThan(0);
});
