import { describe, expect, it } from 'vitest';
import { id, text } from '../../core/json-schema.js';
import { field, required } from '../wire/field.js';
import { FixedJson } from './fixed-json.js';

interface Note {
  readonly id: bigint;
  readonly text: string;
}

function createFixed() {
  const shown: string[] = [];
  const fixed = new FixedJson<Note>({
    id: required(id, (note) => String(note.id)),
    text: field(text, (note) => {
      shown.push(note.text);
      return note.text;
    }),
  });
  return { fixed, shown };
}

describe('JSON that is kept for a stored object', () => {
  it('is written once for the same object and fields', () => {
    const { fixed, shown } = createFixed();
    const note = { id: 1n, text: 'a' };
    const first = fixed.writer(new Set(['text']))(note);
    expect(fixed.writer(new Set(['text']))(note)).toBe(first);
    expect(first).toMatchObject({ id: '1', json: '{"id":"1","text":"a"}' });
    expect(shown).toEqual(['a']);
  });

  it('is that of the fields asked for, whatever was asked for before', () => {
    const { fixed } = createFixed();
    const note = { id: 1n, text: 'a' };
    const json = (...fields: string[]) => fixed.writer(new Set(fields))(note).json;
    expect([json(), json('text'), json(), json('text', 'x')]).toEqual([
      '{"id":"1"}',
      '{"id":"1","text":"a"}',
      '{"id":"1"}',
      '{"id":"1","text":"a"}',
    ]);
  });

  it('is not that of another object with the same id: a change is read as another object', () => {
    const { fixed } = createFixed();
    const write = fixed.writer(new Set(['text']));
    expect([write({ id: 1n, text: 'old' }).json, write({ id: 1n, text: 'new' }).json]).toEqual([
      '{"id":"1","text":"old"}',
      '{"id":"1","text":"new"}',
    ]);
  });
});
