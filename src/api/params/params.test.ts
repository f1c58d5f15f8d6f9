import { describe, expect, it } from 'vitest';
import type { PipitError } from '../../core/errors.js';
import { Faults } from '../../http/faults.js';
import { TWEET_FIELDS } from './fields.js';
import {
  choiceParam,
  choicesParam,
  idListParam,
  idParam,
  integerParam,
  type ParamSpec,
  patternParam,
  textParam,
  timestampParam,
  tokenParam,
  usernameListParam,
  usernameParam,
} from './params.js';

/** What a parameter named `p` makes of a text: its value, or the messages about it. */
function read<T>(spec: ParamSpec<T>, raw: string): T | string[] {
  const faults = new Faults();
  const value = spec.parse(raw, 'p', faults);
  try {
    faults.throwIfAny();
    return value;
  } catch (error) {
    const { failure } = error as PipitError;
    return failure.code === 'invalid-request' ? failure.violations.map((violation) => violation.message) : [];
  }
}

describe('ids', () => {
  it('are up to 19 digits within 64 bits', () => {
    expect(read(idParam(''), '9223372036854775807')).toBe(9223372036854775807n);
    for (const raw of ['9223372036854775808', '12345678901234567890', 'abc', '-1', '1.0', ' 1', '٣']) {
      expect(read(idParam(''), raw)).toEqual([`The \`p\` query parameter value [${raw}] is not valid`]);
    }
  });

  it('in lists are 1 to 100, without spaces, and may repeat', () => {
    expect(read(idListParam(''), '2,1,2')).toEqual([2n, 1n, 2n]);
    expect(read(idListParam(''), '1, 2,,x')).toEqual([
      'The `p` query parameter value [ 2] is not valid',
      'The `p` query parameter value [] is not valid',
      'The `p` query parameter value [x] is not valid',
    ]);
    expect(read(idListParam(''), '1,'.repeat(100) + '1')).toEqual([
      'The `p` query parameter value length [101] is not between 1 and 100',
    ]);
  });
});

describe('usernames', () => {
  it('name the pattern they miss (errors 3)', () => {
    expect(read(usernameParam(''), 'Alice_1')).toBe('Alice_1');
    expect(read(usernameParam(''), 'a-b')).toEqual([
      'The `p` query parameter value [a-b] does not match ^[A-Za-z0-9_]{1,15}$',
    ]);
    expect(read(usernameListParam(''), 'a,@b')).toEqual([
      'The `p` query parameter value [@b] does not match ^[A-Za-z0-9_]{1,15}$',
    ]);
  });

  it('are not the only texts with a pattern', () => {
    expect(read(patternParam(/^[a-zA-Z0-9]{1,13}$/, ''), '1234567890abcd')).toEqual([
      'The `p` query parameter value [1234567890abcd] does not match ^[a-zA-Z0-9]{1,13}$',
    ]);
  });
});

describe('choices', () => {
  it('list all allowed names in alphabetical order, once per bad name', () => {
    expect(read(choicesParam(['b', 'a'], ''), 'a,b,a')).toEqual(new Set(['a', 'b']));
    expect(read(choicesParam(['b', 'a'], ''), 'a, b,c,c')).toEqual([
      'The `p` query parameter value [ b] is not one of [a,b]',
      'The `p` query parameter value [c] is not one of [a,b]',
    ]);
    expect(read(choicesParam(TWEET_FIELDS, ''), 'public_metrics.like_count')).toHaveLength(1);
  });

  it('of one name take no list', () => {
    expect(read(choiceParam(['minute', 'hour', 'day'], 'hour', ''), 'day')).toBe('day');
    expect(read(choiceParam(['minute', 'hour', 'day'], 'hour', ''), 'hour,day')).toEqual([
      'The `p` query parameter value [hour,day] is not one of [day,hour,minute]',
    ]);
  });
});

describe('integers', () => {
  it.each(['4', '101', '-5', '1e1', '0x10', '10.0', ' 10', '99999999999999999999', 'ten'])(
    '%s is not between 5 and 100',
    (raw) => {
      expect(read(integerParam(5, 100, 10, ''), raw)).toEqual([
        `The \`p\` query parameter value [${raw}] is not between 5 and 100`,
      ]);
    },
  );

  it('may be the bounds themselves', () => {
    expect(read(integerParam(5, 100, 10, ''), '5')).toBe(5);
    expect(read(integerParam(5, 100, 10, ''), '100')).toBe(100);
  });
});

describe('timestamps', () => {
  it('have a second granularity: a fraction is cut off', () => {
    const timeMs = Date.UTC(2022, 1, 28, 23, 59, 59);
    expect(read(timestampParam(''), '2022-02-28T23:59:59Z')).toBe(timeMs);
    expect(read(timestampParam(''), '2022-02-28T23:59:59.999Z')).toBe(timeMs);
    expect(read(timestampParam(''), '2024-02-29T00:00:00Z')).toBe(Date.UTC(2024, 1, 29));
  });

  it.each([
    '2022-02-29T00:00:00Z',
    '2022-13-01T00:00:00Z',
    '2022-01-01T24:00:00Z',
    '2022-01-01T00:60:00Z',
    '2022-01-01T00:00:00',
    '2022-01-01T00:00:00 00:00',
    '2022-01-01',
    '2022-01-01T00:00Z',
    '1643673600',
  ])('%s is none', (raw) => {
    expect(read(timestampParam(''), raw)).toEqual([
      `The \`p\` query parameter value [${raw}] is not a valid RFC3339 datetime`,
    ]);
  });
});

describe('texts', () => {
  it('are measured in code points (fine point 16)', () => {
    expect(read(textParam('', { max: 3 }), '😀😀😀')).toBe('😀😀😀');
    expect(read(textParam('', { max: 3 }), 'äöüß')).toEqual([
      'The `p` query parameter value length [4] is not between 1 and 3',
    ]);
    expect(read(textParam(''), 'a\0b')).toHaveLength(1);
  });

  it('as tokens are opaque but not endless', () => {
    expect(read(tokenParam(), 'b26v89c19zqg8o3f')).toBe('b26v89c19zqg8o3f');
    expect(read(tokenParam(), 'x'.repeat(1025))).toHaveLength(1);
  });
});
