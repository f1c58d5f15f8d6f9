import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WireJson, writeJson } from './wire-json.js';

const post = { id: '1', text: 'a "b" \\ \u2028 \ud83d\ude00' };
const wire = new WireJson('1', JSON.stringify(post));
const user = { id: '2', name: 'bob' };
const wireUser = new WireJson('2', JSON.stringify(user));

describe('a response with serialized objects', () => {
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
    ['some serialized and some not', { data: [wire, user] }, { data: [post, user] }],
    ['the first not serialized', { data: [user, wire] }, { data: [user, post] }],
    ['members without value', { data: wire, meta: undefined }, { data: post }],
    [
      'none serialized in data',
      { data: [user], includes: { tweets: [wire] } },
      { data: [user], includes: { tweets: [post] } },
    ],
    ['only errors', { errors: [{ value: '3' }] }, { errors: [{ value: '3' }] }],
  ])('equals the JSON of the plain objects: %s', (_name, body, plain) => {
    expect(String(writeJson(body))).toBe(JSON.stringify(plain));
    expect(JSON.stringify(body)).toBe(JSON.stringify(plain));
  });

  it('equals JSON.stringify for bodies without such objects', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(String(writeJson(body))).toBe(JSON.stringify(body));
        expect(String(writeJson({ data: body }))).toBe(JSON.stringify({ data: body }));
      }),
    );
  });

  it('writes bodies longer than the memory that is kept', () => {
    const long = new WireJson('3', JSON.stringify({ id: '3', text: '\u6771\ud83d\ude00x'.repeat(100_000) }));
    const data = [wire, long, long, long, wire];
    for (const body of [{ data }, { data: [wire] }, { data }]) {
      expect(String(writeJson(body)) === JSON.stringify(body)).toBe(true);
    }
  });

  it('does not change bodies that were written before, which share its memory', () => {
    const pages = Array.from({ length: 50 }, (_, n) => ({
      data: Array.from({ length: 100 }, () => wire),
      meta: { n },
    }));
    const bodies = pages.map(writeJson);
    expect(bodies.map(String)).toEqual(pages.map((page) => JSON.stringify(page)));
  });

  it('leaves nothing of a body that could not be written', () => {
    expect(() => writeJson({ data: [wire], meta: { n: 1n } })).toThrow(TypeError);
    expect(String(writeJson({ data: wire }))).toBe(JSON.stringify({ data: post }));
  });
});
