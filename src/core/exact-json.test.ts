import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ExactJson, writeExactJson } from './exact-json.js';

describe('writeExactJson', () => {
  test('writes all digits of bigints', () => {
    expect(writeExactJson({ id: 1_346_889_436_626_259_968n, list: [1n, 'a'] })).toBe(
      '{"id":1346889436626259968,"list":[1,"a"]}',
    );
  });

  test('writes everything else as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(writeExactJson(value as ExactJson)).toBe(JSON.stringify(value));
      }),
    );
    expect(writeExactJson({ a: undefined, b: null, c: [undefined] })).toBe('{"b":null,"c":[null]}');
  });
});
