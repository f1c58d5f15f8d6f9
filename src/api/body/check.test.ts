import { describe, expect, it } from 'vitest';
import { PipitError, type Violation } from '../../core/errors.js';
import * as v from '../../core/validators.js';
import { Faults } from '../../http/faults.js';
import { type JsonBody, jsonBody, idField } from './body.js';
import { checkJsonBody } from './check.js';

const post = jsonBody(
  v.object({
    text: v.text({ max: 5 }),
    quote_tweet_id: idField(),
    nullcast: v.boolean(),
    poll: v.object({
      options: v.required(v.list(v.text({ min: 1, max: 3 }), { min: 2, max: 4 })),
      duration_minutes: v.required(v.integer({ min: 5, max: 10_080 })),
    }),
    message: v.object({
      text: v.text(),
      attachments: v.list(v.object({ media_id: v.required(idField()) }), { min: 1, max: 1 }),
    }),
  }),
  {
    flat: {
      poll_options: 'poll.options',
      poll_duration_minutes: 'poll.duration_minutes',
      media_id: 'message.attachments.0.media_id',
    },
  },
);

function check(json: unknown, spec: JsonBody<unknown> = post): unknown {
  const faults = new Faults();
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  const { body } = checkJsonBody(spec, 'application/json', Buffer.from(text), faults);
  faults.throwIfAny();
  return body;
}

function violations(json: unknown): readonly Violation[] {
  try {
    check(json);
  } catch (error) {
    if (error instanceof PipitError && error.failure.code === 'invalid-request') {
      return error.failure.violations;
    }
  }
  return [];
}

const messages = (json: unknown) => violations(json).map((violation) => violation.message);

describe('types', () => {
  it.each([
    [{ text: 1 }, '$.text: integer found, string expected'],
    [{ text: 1.5 }, '$.text: number found, string expected'],
    [{ text: null }, '$.text: null found, string expected'],
    ['{"text":1234567890123456789}', '$.text: integer found, string expected'],
    [{ nullcast: 'true' }, '$.nullcast: string found, boolean expected'],
    [{ poll: [] }, '$.poll: array found, object expected'],
    [{ quote_tweet_id: true }, '$.quote_tweet_id: boolean found, string expected'],
    [{ quote_tweet_id: 1.5 }, '$.quote_tweet_id: number found, string expected'],
    [{ quote_tweet_id: 'x' }, '$.quote_tweet_id: does not match the regex pattern ^[0-9]{1,19}$'],
    [{ quote_tweet_id: -1 }, '$.quote_tweet_id: does not match the regex pattern ^[0-9]{1,19}$'],
    [
      '{"quote_tweet_id":99999999999999999999}',
      '$.quote_tweet_id: does not match the regex pattern ^[0-9]{1,19}$',
    ],
    ['{"text":"\\ud800"}', '$.text: is not valid Unicode text'],
    ['{"text":"a\\u0000"}', '$.text: is not valid Unicode text'],
  ])('%j: %s', (json, message) => {
    expect(messages(json)).toEqual([message]);
  });

  it('texts are measured in code points', () => {
    expect(check({ text: '😀😀😀😀😀' })).toMatchObject({ text: '😀😀😀😀😀' });
    expect(messages({ text: '123456' })).toEqual(['$.text: may only be 5 characters long']);
  });

  it('lists report their length, and each bad item', () => {
    expect(messages({ poll: { options: ['a', 'long', 3], duration_minutes: 4 } })).toEqual([
      '$.poll.options[1]: may only be 3 characters long',
      '$.poll.options[2]: integer found, string expected',
      '$.poll.duration_minutes: must have a minimum value of 5',
    ]);
    expect(messages({ poll: { options: Array<string>(1000).fill('long'), duration_minutes: 5 } })).toEqual([
      '$.poll.options: there must be a maximum of 4 items in the array',
    ]);
  });
});

describe('flat names', () => {
  it('fold into nested objects and lists', () => {
    expect(check({ poll_options: ['a', 'b'], poll_duration_minutes: 5, media_id: '1' })).toMatchObject({
      poll: { options: ['a', 'b'], duration_minutes: 5 },
      message: { attachments: [{ media_id: 1n }] },
    });
  });

  it('name faults as they were sent', () => {
    expect(violations({ poll_options: ['a', ''], media_id: 'x' })).toEqual([
      {
        parameters: { '$.poll_options[1]': [''] },
        message: '$.poll_options[1]: must be at least 1 characters long',
      },
      {
        parameters: { '$.poll_duration_minutes': [] },
        message: '$.poll_duration_minutes: is missing but it is required',
      },
      {
        parameters: { '$.media_id': ['x'] },
        message: '$.media_id: does not match the regex pattern ^[0-9]{1,19}$',
      },
    ]);
  });

  it('beside a nested object leave what is missing there under its nested name', () => {
    expect(messages({ poll: { duration_minutes: 5 } })).toEqual([
      '$.poll.options: is missing but it is required',
    ]);
    expect(messages({ poll: 3, poll_options: ['a', 'b'] })).toEqual([
      '$.poll: integer found, object expected',
    ]);
  });
});
