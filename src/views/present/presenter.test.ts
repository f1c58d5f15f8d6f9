import { expect, test } from 'vitest';
import { presenter } from './presenter.js';

interface Bird {
  readonly name: string;
  readonly colour?: string;
}

const asked: string[] = [];
const show = (...fields: string[]) =>
  presenter<Bird>(
    ({ name }) => ({ name }),
    {
      colour: ({ colour }) => {
        asked.push('colour');
        return colour;
      },
      length: ({ name }) => name.length,
    },
    new Set(fields),
  );

test('a wire object has what it always has, and in a fixed order what the fields ask for', () => {
  expect(JSON.stringify(show('length', 'colour')({ name: 'pipit', colour: 'brown' }))).toBe(
    '{"name":"pipit","colour":"brown","length":5}',
  );
});

test('what is not asked for is not made', () => {
  asked.length = 0;
  expect(show('length', 'unknown')({ name: 'pipit', colour: 'brown' })).toEqual({ name: 'pipit', length: 5 });
  expect(asked).toEqual([]);
});

test('a member without a value is left out', () => {
  expect(Object.keys(show('colour')({ name: 'pipit' }))).toEqual(['name']);
});
