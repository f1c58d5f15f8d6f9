import * as crypto from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

vi.mock('node:crypto', async (importActual) => {
  const actual = await importActual<typeof crypto>();
  return { ...actual, timingSafeEqual: vi.fn(actual.timingSafeEqual) };
});
// Files share their worker's modules: one that was loaded before has the real function.
vi.resetModules();
const { equalsInConstantTime } = await import('./signature.js');

describe('comparing signatures', () => {
  it('holds for equal texts alone, whatever their lengths', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(equalsInConstantTime(a, a)).toBe(true);
        expect(equalsInConstantTime(a, b)).toBe(a === b);
        expect(equalsInConstantTime(`${b}${a}`, b)).toBe(a === '');
        expect(equalsInConstantTime(a, `${a}${b}`)).toBe(b === '');
      }),
    );
  });

  it('does not take padding for the missing bytes of a short text', () => {
    expect(equalsInConstantTime('ab', 'ab\0')).toBe(false);
    expect(equalsInConstantTime('ab\0', 'ab')).toBe(false);
  });

  it.each(['wrong', 'right', 'longer than right'])('compares all bytes in constant time: %s', (given) => {
    const compare = vi.mocked(crypto.timingSafeEqual).mockClear();
    expect(equalsInConstantTime(given, 'right')).toBe(given === 'right');
    expect(compare).toHaveBeenCalledExactlyOnceWith(expect.any(Buffer), Buffer.from('right'));
  });
});
