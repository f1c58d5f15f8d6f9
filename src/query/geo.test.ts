import { describe, expect, test } from 'vitest';
import { METRES_PER_MILE, metresBetween } from './geo.js';

describe('distances on the globe', () => {
  test.each([
    ['Paris to London', [2.3522, 48.8566], [-0.1276, 51.5072], 343_500],
    ['a degree of the equator', [0, 0], [1, 0], 111_195],
    ['over the date line', [179.5, 0], [-179.5, 0], 111_195],
    ['pole to pole', [0, 90], [0, -90], 20_015_115],
    ['to the same point', [5, 5], [5, 5], 0],
  ] as const)('%s', (_, from, to, metres) => {
    expect(Math.abs(metresBetween(from, to) - metres)).toBeLessThan(500);
  });

  test('a mile has 1,609.344 metres', () => expect(METRES_PER_MILE).toBe(1609.344));
});
