import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { inject, type InjectedAnswer, type InjectedRequest } from '../support/inject.js';
import { OWN_ID, as, buildFakeApp } from './fake-catalogue.js';

/** The upper bound of a response that lists errors. */
const MAX_ANSWER_BYTES = 48 * 1024;

const { app } = buildFakeApp({ limits: 'off' });
afterAll(() => app.close());

const get = (url: string): Promise<InjectedAnswer> => inject(app, { method: 'GET', url, headers: as('app') });

const post = (payload: InjectedRequest['payload']): Promise<InjectedAnswer> =>
  inject(app, { method: 'POST', url: '/2/things', headers: as('user'), payload });

function messagesOf(answer: InjectedAnswer): string[] {
  expect(answer.statusCode).toBe(400);
  return answer.json<{ errors: { message: string }[] }>().errors.map((error) => error.message);
}

describe('parameters', () => {
  it('are all reported at once', async () => {
    const answer = await get('/2/things?max_results=3&start_time=x&exclude=likes&foo=1&shiny=yes');
    expect(messagesOf(answer)).toEqual([
      'The query parameter [foo] is not one of [ids,usernames,query,start_time,exclude,shiny,max_results,pagination_token]',
      'The `ids` query parameter can not be empty',
      'The `start_time` query parameter value [x] is not a valid RFC3339 datetime',
      'The `exclude` query parameter value [likes] is not one of [replies,retweets]',
      'The `shiny` query parameter value [yes] is not one of [false,true]',
      'The `max_results` query parameter value [3] is not between 10 and 100',
    ]);
  });

  it('can be spelled with dots or underscores', async () => {
    for (const name of ['tweet.fields', 'tweet_fields', 'tweet%2Efields']) {
      const answer = await get(`/2/things/1?${name}=lang,source`);
      expect(answer.json()).toEqual({ data: { id: '1', fields: ['lang', 'source'] } });
    }
  });

  it('in both spellings are duplicates', async () => {
    const answer = await get('/2/things/1?tweet.fields=lang&tweet_fields=source');
    expect(answer.json()).toMatchObject({
      errors: [
        {
          parameters: { 'tweet.fields': ['lang', 'source'] },
          message: 'Duplicate parameters are not allowed: the `tweet.fields` query parameter',
        },
      ],
    });
  });

  it('with invalid UTF-8 are reported by name', async () => {
    const answer = await get('/2/things?ids=1&query=%ff');
    expect(messagesOf(answer)).toEqual(['The `query` query parameter value [%ff] is not valid']);
    expect((await get('/2/things/%ff')).statusCode).toBe(400);
    expect((await get('/2/things/%')).statusCode).toBe(400);
  });

  it('never produce a response much longer than the request', async () => {
    const answer = await get(`/2/things?${'a=1&'.repeat(5000)}`);
    expect(messagesOf(answer)).toHaveLength(100);
    expect(answer.body.length).toBeLessThan(MAX_ANSWER_BYTES);
  });

  it.each([
    [
      'unknown fields that each repeat the whole list',
      `tweet.fields=${Array.from({ length: 400 }, (_, n) => n).join(',')}`,
    ],
    [
      'ids that each repeat the whole list',
      `ids=${Array.from({ length: 100 }, (_, n) => `x${'é'.repeat(n)}`).join(',')}`,
    ],
    ['repeated long values', `ids=${'1'.repeat(200)}&`.repeat(100)],
    ['long unknown names', `${'n'.repeat(300)}=${'v'.repeat(20)}&`.repeat(90)],
    ['one long name', 'n'.repeat(30_000)],
  ])('produce a response of bounded length: %s', async (_, query) => {
    const answer = await get(`/2/things${query.startsWith('tweet') ? '/1' : ''}?${encodeURI(query)}`);
    const messages = messagesOf(answer);
    expect(messages.length).toBeGreaterThan(0);
    expect(Buffer.byteLength(answer.body)).toBeLessThan(MAX_ANSWER_BYTES);
  });

  it('with a very long value are reported with the reason', async () => {
    const answer = await get(`/2/things?start_time=${'x'.repeat(20_000)}`);
    const message = messagesOf(answer).find((text) => text.includes('start_time'));
    expect(message).toMatch(
      /^The `start_time` query parameter value \[x+…x+\] is not a valid RFC3339 datetime$/,
    );
  });
});

describe('bodies', () => {
  it('in nested, flat and mixed form are equivalent', async () => {
    const media = { media_ids: ['1', '2'], tags: ['a'] };
    for (const form of [
      { owner_id: '3', media },
      { owner_id: '3', ...media },
      { owner_id: 3, media: { media_ids: [1, '2'] }, tags: ['a'] },
      { owner_id: '3', media, media_ids: ['1', '2'] },
    ]) {
      const answer = await post(form);
      expect(answer.statusCode).toBe(201);
      expect(answer.json()).toEqual({ data: { owner_id: '3', media, user_id: OWN_ID } });
    }
  });

  it('with different values in flat and nested form return 400', async () => {
    const answer = await post({ owner_id: '3', media: { media_ids: ['1'] }, media_ids: ['2'] });
    expect(messagesOf(answer)).toEqual(['$.media_ids: differs from $.media.media_ids']);
  });

  it('keep all digits of numeric ids', async () => {
    const json = { ...as('user'), 'content-type': 'application/json' };
    const sent = await inject(app, {
      method: 'POST',
      url: '/2/things',
      headers: json,
      payload: '{"owner_id": 1234567890123456789, "media_id": 9007199254740993}',
    });
    expect(sent.json()).toEqual({
      data: { owner_id: '1234567890123456789', attachments: ['9007199254740993'], user_id: OWN_ID },
    });
  });

  it('report all errors at once, by JSON path', async () => {
    const answer = await post({
      text: 'longer than ten',
      count: 11,
      settings: 'x',
      media: { media_ids: [] },
      foo: 1,
    });
    expect(messagesOf(answer)).toEqual([
      '$.foo: is not defined in the schema and the schema does not allow additional properties',
      '$.text: may only be 10 characters long',
      '$.count: must have a maximum value of 10',
      '$.owner_id: is missing but it is required',
      '$.settings: does not have a value in the enumeration [following, mentionedUsers]',
      '$.media.media_ids: there must be a minimum of 1 item in the array',
    ]);
    expect(answer.json<{ errors: object[] }>().errors[5]).toMatchObject({
      parameters: { '$.media.media_ids': ['[]'] },
    });
  });

  it('with another or no content type return the documented message', async () => {
    for (const headers of [
      as('user'),
      { ...as('user'), 'content-type': 'text/plain' },
      { ...as('user'), 'content-type': ';;' },
    ]) {
      const answer = await inject(app, {
        method: 'POST',
        url: '/2/things',
        headers,
        payload: '{"owner_id":"1"}',
      });
      expect(messagesOf(answer)).toEqual([
        'Requests with bodies must have content-type of application/json.',
      ]);
    }
  });

  it('that cannot be parsed return the documented message', async () => {
    const headers = { ...as('user'), 'content-type': 'application/json; charset=utf-8' };
    for (const payload of ['{', 'x', '{"a":1,}', Buffer.from([0x22, 0xff, 0x22])]) {
      const answer = await inject(app, { method: 'POST', url: '/2/things', headers, payload });
      expect(messagesOf(answer)).toEqual(['Could not parse the request body as JSON.']);
    }
  });

  it('that are not objects are rejected at any depth', async () => {
    const headers = { ...as('user'), 'content-type': 'application/json' };
    const send = (payload: string) => inject(app, { method: 'POST', url: '/2/things', headers, payload });
    expect(messagesOf(await send('[]'))).toEqual(['$: array found, object expected']);
    expect(messagesOf(await send('null'))).toEqual(['$: null found, object expected']);
    const depth = 200_000;
    const deep = await send('[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2));
    expect(messagesOf(deep)).toEqual(['$: is nested too deeply']);
  });

  it('with tens of thousands of unknown members report the first hundred', async () => {
    const members = Array.from({ length: 40_000 }, (_, n) => [`unknown${n}`, n]);
    expect(messagesOf(await post(Object.fromEntries(members)))).toHaveLength(100);
  });

  it('with many or long unknown members produce a response of bounded length', async () => {
    const long = (count: number, characters: number) =>
      Array.from({ length: count }, (_, n) => [`${n}${'n'.repeat(characters)}`, 'v'.repeat(characters)]);
    for (const members of [long(1, 400_000), long(100, 4_000), long(2_000, 200)]) {
      for (const body of [
        { owner_id: '1', ...Object.fromEntries(members) },
        { media: Object.fromEntries(members) },
      ]) {
        const answer = await post(body);
        expect(messagesOf(answer).join('\n')).toContain('is not defined in the schema');
        expect(answer.body.length).toBeLessThan(MAX_ANSWER_BYTES);
      }
    }
  });

  it('cannot modify prototypes', async () => {
    const headers = { ...as('user'), 'content-type': 'application/json' };
    const payload = '{"owner_id":"1","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const answer = await inject(app, { method: 'POST', url: '/2/things', headers, payload });
    expect(messagesOf(answer)).toHaveLength(2);
    expect({}).not.toHaveProperty('polluted');
  });

  it('that are empty are treated as an empty object', async () => {
    const answer = await inject(app, { method: 'POST', url: '/2/things', headers: as('user') });
    expect(messagesOf(answer)).toEqual(['$.owner_id: is missing but it is required']);
  });

  it('over one megabyte return 413', async () => {
    const headers = { ...as('user'), 'content-type': 'application/json' };
    const payload = Buffer.alloc(1024 * 1024 + 1, ' ');
    const answer = await inject(app, { method: 'POST', url: '/2/things', headers, payload });
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ title: 'Payload Too Large', status: 413 });
  });

  it('with a content encoding return 415', async () => {
    const headers = { ...as('user'), 'content-type': 'application/json' };
    const send = (encoding: string, payload: string | Buffer) =>
      inject(app, {
        method: 'POST',
        url: '/2/things',
        headers: { ...headers, 'content-encoding': encoding },
        payload,
      });
    const json = '{"owner_id":"1"}';
    for (const encoding of ['gzip', 'br', 'identity, gzip', 'nonsense']) {
      const answer = await send(encoding, encoding === 'gzip' ? gzipSync(json) : json);
      expect(answer.statusCode).toBe(415);
      expect(answer.headers['accept-encoding']).toBe('identity');
      expect(answer.json()).toEqual({
        title: 'Unsupported Media Type',
        detail: `The content-encoding [${encoding}] is not supported.`,
        type: 'about:blank',
        status: 415,
      });
    }
    for (const encoding of ['identity', 'Identity', '']) {
      expect((await send(encoding, json)).statusCode).toBe(201);
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' };
    const signIn = await inject(app, { method: 'POST', url: '/sign-in', headers: form, payload: 'a=b' });
    expect(signIn.statusCode).toBe(415);
  });

  it('are ignored on DELETE', async () => {
    const headers = { ...as('user'), 'content-type': 'application/json' };
    for (const payload of [undefined, '', '{}']) {
      const url = `/2/users/${OWN_ID}/things/1`;
      const answer = await inject(app, { method: 'DELETE', url, headers, payload });
      expect(answer.json()).toEqual({ data: { deleted: true } });
    }
  });
});
