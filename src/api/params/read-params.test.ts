import { describe, expect, test } from 'vitest';
import { Faults } from '../../http/faults.js';
import { idParam, inPath } from './params.js';
import { paramReader } from './read-params.js';

const read = paramReader({ id: inPath(idParam('The one.')), since_id: idParam('Since.') });

function readAll(query: string, id: string) {
  const faults = new Faults();
  return { values: read(query, { id }, faults).params, faults };
}

describe('a query that was read before', () => {
  test('means the same, beside a path of its own', () => {
    expect(readAll('since_id=5', '1').values).toEqual({ id: 1n, since_id: 5n });
    const again = readAll('since_id=5', '2');
    expect(again.values).toEqual({ id: 2n, since_id: 5n });
    expect(Object.keys(again.values)).toEqual(['id', 'since_id']);
    expect(readAll('', '3').values).toEqual({ id: 3n, since_id: undefined });
  });

  test('is refused as often as it comes when it is wrong, and so is a wrong path beside a right one', () => {
    for (let turn = 0; turn < 2; turn += 1) {
      expect(readAll('since_id=x', '1').faults.isEmpty).toBe(false);
      expect(readAll('since_id=5', '').faults.isEmpty).toBe(false);
      expect(readAll('since_id=5', 'y').faults.isEmpty).toBe(false);
      expect(readAll('since_id=5', '1').faults.isEmpty).toBe(true);
    }
  });
});
