import { expect, test } from 'vitest';
import { PROGRAM } from '../support/program.js';
import { fuzz } from './fuzz.js';

test(
  'odd requests of every kind are answered without a fault of the server',
  { timeout: 120_000 },
  async () => {
    const options = { seed: 1, requests: 600, milliseconds: 90_000, program: PROGRAM };
    const { statuses, findings } = await fuzz({ ...options, report: () => undefined });
    expect(findings).toEqual([]);
    // Requests get through to handlers, with every kind of credential.
    for (const status of [200, 201, 400, 401, 403, 404])
      expect(statuses.get(status), `${status}`).toBeGreaterThan(0);
  },
);
