import { expect, test } from 'vitest';
import { count, listOf, object, oneOf, text } from '../../core/json-schema.js';
import type { WireObject } from '../../core/wire-json.js';
import { byDefault, field, objectSchema, required, unshown, type Fields } from './field.js';

interface Bird {
  readonly name: string;
  readonly sex: 'f' | 'm';
  readonly ring?: string;
  readonly calls: readonly { readonly tone: string; readonly secret: number }[];
}

const birdFields = {
  name: required(text, ({ name }) => name),
  weight: unshown(count),
  ring: byDefault(text, ({ ring }) => ring),
  calls: field(listOf(object({ tone: text })), ({ calls }) => calls.map(({ tone }) => ({ tone }))),
} satisfies Fields<Bird>;

test('the schema of an object has its default members, then the others by name', () => {
  const schema = objectSchema(birdFields);
  expect(Object.keys(schema['properties'] as object)).toEqual(['name', 'ring', 'calls', 'weight']);
  expect(schema['required']).toEqual(['name']);
});

/** Each line below breaks a rule that the compiler checks: `npm run lint` fails when one of them compiles. */
test('the compiler refuses what has no schema, or another', () => {
  const refused = {
    // @ts-expect-error a member without a schema
    bare: ({ name }: Bird) => name,
    // @ts-expect-error keywords whose type the compiler does not know
    untyped: field({ type: 'string' }, ({ name }) => name),
    // @ts-expect-error a text where a number is documented
    type: field(count, ({ name }) => name),
    // @ts-expect-error a value that is not documented
    value: field(oneOf('m', 'x'), ({ sex }) => sex),
    // @ts-expect-error no value where one is required
    absent: required(text, ({ ring }) => ring),
    // @ts-expect-error a nested member that is not documented
    stored: field(listOf(object({ tone: text })), ({ calls }) => calls),
    // @ts-expect-error the same, added conditionally
    spread: field(object({ tone: text }), ({ name, ring }) => ({ tone: name, ...(ring && { ring }) })),
    // @ts-expect-error a required nested member is missing
    partial: field(object({ tone: text, pitch: count }, ['tone', 'pitch']), ({ name }) => ({ tone: name })),
  } satisfies Fields<Bird>;
  // @ts-expect-error a response object that no presenter made
  const wire: WireObject = { name: 'pipit' };
  expect([Object.keys(refused).length, wire]).toEqual([8, { name: 'pipit' }]);
});
