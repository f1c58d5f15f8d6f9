import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WireJson, writeJson } from './wire-json.js';

const post = { id: '1', text: 'a "b" \\ \u2028 \ud83d\ude00' };
const wire = new WireJson('1', JSON.stringify(post));
const user = { id: '2', name: 'bob' };
const wireUser = new WireJson('2', JSON.stringify(user));

describe('an answer with objects that are JSON already', () => {
  it.each([
    ['one object', { data: wire, errors: [{ value: '3' }] }, { data: post, errors: [{ value: '3' }] }],
    [
      'a page',
      {
        data: [wire, wire],
        includes: { users: [wireUser], media: [{ url: '"' }] },
        meta: { result_count: 2 },
      },
      { data: [post, post], includes: { users: [user], media: [{ url: '"' }] }, meta: { result_count: 2 } },
    ],
    ['some written and some not', { data: [wire, user] }, { data: [post, user] }],
    ['the first not written', { data: [user, wire] }, { data: [user, post] }],
    ['members without value', { data: wire, meta: undefined }, { data: post }],
    [
      'none written in data',
      { data: [user], includes: { tweets: [wire] } },
      { data: [user], includes: { tweets: [post] } },
    ],
    ['only errors', { errors: [{ value: '3' }] }, { errors: [{ value: '3' }] }],
  ])('is the JSON of the objects themselves: %s', (_name, body, plain) => {
    expect(writeJson(body)).toBe(JSON.stringify(plain));
    expect(JSON.stringify(body)).toBe(JSON.stringify(plain));
  });

  it('is what JSON.stringify makes of bodies without such objects', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(writeJson(body)).toBe(JSON.stringify(body));
        expect(writeJson({ data: body })).toBe(JSON.stringify({ data: body }));
      }),
    );
  });

  it('takes more members of an object behind those that are there', () => {
    expect(writeJson({ data: wire.with({ n: 1 }) })).toBe(JSON.stringify({ data: { ...post, n: 1 } }));
    expect(wire.with({ gone: undefined })).toBe(wire);
  });
});
