import { expect, test } from 'vitest';
import { count, text } from '../../core/json-schema.js';
import { byDefault, field, required, unshown, type Fields } from './field.js';
import { presenter } from './presenter.js';

interface Bird {
  readonly name: string;
  readonly colour?: string;
}

const asked: string[] = [];
const birdFields = {
  name: required(text, ({ name }) => name),
  colour: field(text, ({ colour }) => {
    asked.push('colour');
    return colour;
  }),
  length: { ...field(count, ({ name }) => name.length), askedAs: 'name_length' },
  song: byDefault(text, (_, song) => song),
  weight: unshown(count),
} satisfies Fields<Bird, string | undefined>;

const show = (bird: Bird, song: string | undefined, ...fields: string[]) =>
  presenter(birdFields, new Set(fields))(bird, song);

test('a wire object has its default members and those asked for, in the order of the table', () => {
  expect(JSON.stringify(show({ name: 'pipit', colour: 'brown' }, 'tsip', 'name_length', 'colour'))).toBe(
    '{"name":"pipit","colour":"brown","length":5,"song":"tsip"}',
  );
});

test('a member that is not asked for is not computed', () => {
  asked.length = 0;
  expect(show({ name: 'pipit', colour: 'brown' }, undefined, 'length', 'unknown')).toEqual({ name: 'pipit' });
  expect(asked).toEqual([]);
});

test('a member without a value is left out', () => {
  expect(Object.keys(show({ name: 'pipit' }, undefined, 'colour', 'weight'))).toEqual(['name']);
});
