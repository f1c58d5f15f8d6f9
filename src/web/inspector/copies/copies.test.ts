import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { anyText } from '../../../../test/support/any-text.js';
import type { JournalEntry } from '../../../journal/entry.js';
import { curlCopy } from './curl.js';
import { sentRequest } from './sent-request.js';
import { pytestCopy, vitestCopy } from './tests.js';
import { worldCopy } from './world.js';

const HOSTILE = `'"\`$(touch x)\\ \n\t\u001b[31m\u202e \u2028 é ☀ 🐦 </script><b>$HOME !! %s`;

function entryOf(
  request: Partial<JournalEntry['request']>,
  more: Partial<JournalEntry> = {},
  answer: Partial<JournalEntry['answer']> = {},
): JournalEntry {
  const none = { bytes: 0, isCut: false };
  return {
    id: 1,
    timeMs: 0,
    operation: 'createTweet',
    requestId: 'x',
    request: {
      method: 'POST',
      path: '/2/tweets',
      query: '',
      httpVersion: '1.1',
      headers: [],
      body: none,
      ...request,
    },
    answer: { status: 201, headers: [], body: none, ...answer },
    elapsedMs: 1,
    isOpen: false,
    isCut: false,
    ...more,
  };
}

const body = (text: string) => ({ bytes: text.length, text, isCut: false });
const copied = (entry: JournalEntry) => sentRequest(entry, 'http://127.0.0.1:8080');

/** Runs commands in bash with a function in place of curl, and returns the arguments of each. */
function argumentsOf(commands: readonly string[]): string[][] {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\0END\\0'; }\n${commands.join('\n')}\n`;
  const output = execFileSync('bash', ['--norc', '-s'], {
    input: script,
    env: { BEARER_TOKEN: 'secret token', CODE: 'c', PASSWORD: 'p', LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  });
  return output
    .split('\0\0END\0')
    .slice(0, -1)
    .map((each) => each.split('\0'));
}

describe('the copy as curl', () => {
  it('gives bash the same request, whatever characters it has', () => {
    // A command line has no NUL, and bash reads no lone surrogates.
    const text = fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .map((each) => each.replaceAll('\0', '').replaceAll(/\p{Cs}/gu, ''));
    const texts = [HOSTILE, ...fc.sample(text, { numRuns: 60, seed: 1 })];
    const sent = argumentsOf(texts.map((each) => curlCopy(copied(entryOf({ body: body(each) })))));
    expect(sent.map((parts) => parts.at(-1))).toEqual(texts.map((each) => (each === '' ? '' : each)));
    expect(sent[0]?.slice(0, 4)).toEqual(['-i', '-X', 'POST', 'http://127.0.0.1:8080/2/tweets']);
  });

  it('has variables where secrets were, and leaves out headers of the connection', () => {
    const entry = entryOf({
      query: 'code=HIDDEN&a=1',
      headers: [
        ['Authorization', 'Bearer abcdefghHIDDEN'],
        ['Host', 'x'],
        ['X-Odd', "it's"],
        ['Bad\r\nName', 'x'],
      ],
      body: body('{"password":"HIDDEN","text":"HIDDEN in a text"}'),
    });
    const [sent = []] = argumentsOf([curlCopy(copied(entry))]);
    expect(sent).toEqual([
      '-i',
      '-X',
      'POST',
      'http://127.0.0.1:8080/2/tweets?code=c&a=1',
      '-H',
      'authorization: Bearer secret token',
      '-H',
      "x-odd: it's",
      '--data-raw',
      '{"password":"p","text":"HIDDEN in a text"}',
    ]);
  });

  it('sends no file for a body with @, and the address as it came', () => {
    const entry = entryOf({ path: '/2/../tweets', query: 'ids={1,2}[3-4]', body: body('@/etc/hosts') });
    const [sent = []] = argumentsOf([curlCopy(copied(entry))]);
    expect(sent.slice(3)).toEqual([
      'http://127.0.0.1:8080/2/../tweets?ids={1,2}[3-4]',
      '--globoff',
      '--path-as-is',
      '--data-raw',
      '@/etc/hosts',
    ]);
  });

  it('says what the copy cannot hold', () => {
    const headers = [['authorization', 'OAuth oauth_nonce="n"']] as const;
    const copy = curlCopy(copied(entryOf({ headers, body: { bytes: 9, isCut: true } })));
    expect(copy).toMatch(/^# The request was signed with OAuth 1\.0a: sign it again/);
    expect(copy).toMatch(/# The body was not recorded whole/);
    expect(copy).toContain('"$AUTHORIZATION"');
  });
});

describe('the copies as tests', () => {
  it('are literals that JavaScript reads back', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.constant(HOSTILE)), (text) => {
        const copy = vitestCopy(copied(entryOf({ body: body(text) })));
        const literal = /^ {4}body: (.*),$/m.exec(copy)?.[1] ?? '';
        expect(runInNewContext(literal)).toBe(text);
        expect(pytestCopy(copied(entryOf({ body: body(text) })))).toContain(`data=(${literal}).encode()`);
      }),
    );
  });

  it('read secrets from the environment and expect the recorded status', () => {
    const sent = copied(entryOf({ headers: [['authorization', 'Bearer xHIDDEN']] }));
    expect(vitestCopy(sent)).toContain('"authorization": "Bearer " + process.env.BEARER_TOKEN,');
    expect(vitestCopy(sent)).toContain('expect(answer.status).toBe(201);');
    expect(pytestCopy(sent)).toContain('"authorization": "Bearer " + os.environ["BEARER_TOKEN"],');
    expect(pytestCopy(sent)).toContain('assert status == 201');
  });
});

test('a copied world is JSON for any answer', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const entry = entryOf({ method: 'GET', path: `/2/tweets/${text}` }, {}, { body: body(text) });
      expect(JSON.parse(worldCopy(entry))).toHaveProperty('apps');
    }),
  );
});
