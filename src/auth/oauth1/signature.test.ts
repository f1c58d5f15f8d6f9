import * as crypto from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

vi.mock('node:crypto', async (importActual) => {
  const actual = await importActual<typeof crypto>();
  return { ...actual, timingSafeEqual: vi.fn(actual.timingSafeEqual) };
});
// Test files share the modules of their worker: an earlier import has the real function.
vi.resetModules();
const { equalsInConstantTime } = await import('./signature.js');

describe('comparing signatures', () => {
  it('is true for equal texts only, of any lengths', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(equalsInConstantTime(a, a)).toBe(true);
        expect(equalsInConstantTime(a, b)).toBe(a === b);
        expect(equalsInConstantTime(`${b}${a}`, b)).toBe(a === '');
        expect(equalsInConstantTime(a, `${a}${b}`)).toBe(b === '');
      }),
    );
  });

  it('does not mistake padding for missing bytes of a short text', () => {
    expect(equalsInConstantTime('ab', 'ab\0')).toBe(false);
    expect(equalsInConstantTime('ab\0', 'ab')).toBe(false);
  });

  it.each(['wrong', 'right', 'longer than right'])('compares all bytes in constant time: %s', (given) => {
    const compare = vi.mocked(crypto.timingSafeEqual).mockClear();
    expect(equalsInConstantTime(given, 'right')).toBe(given === 'right');
    expect(compare).toHaveBeenCalledExactlyOnceWith(expect.any(Buffer), Buffer.from('right'));
  });
});
