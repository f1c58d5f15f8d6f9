import { expect, test } from 'vitest';
import { hideInBaseString, hideInHeader, hideInJson, hideInPairs } from './hide.js';

test('a base string keeps identifying parameters and hides secrets that a client signed by mistake', () => {
  const kept = 'oauth_consumer_key=key&oauth_nonce=n&oauth_timestamp=1&user_id=7';
  const sent = `${kept}&oauth_token_secret=s1&oauth_consumer_secret=s2&oauth_verifier=s3&oauth_session_handle=s4&password=s5`;
  const shown = { declared: new Set<string>(), others: true };
  const logged = hideInBaseString(`POST&http%3A%2F%2Fx&${encodeURIComponent(sent)}`, shown);
  expect(decodeURIComponent(logged)).toBe(
    `POST&http://x&${kept}&oauth_token_secret=HIDDEN&oauth_consumer_secret=HIDDEN&oauth_verifier=HIDDEN&oauth_session_handle=HIDDEN&password=HIDDEN`,
  );
});

const OTHERS = { declared: new Set<string>(), others: true };

test.each([
  ['authorization', 'Bearer abcdefghijkl', 'Bearer abcdefghHIDDEN'],
  ['authorization', 'Basic dXNlcjpwYXNz', 'Basic HIDDEN'],
  ['authorization', 'rubbish', 'HIDDEN'],
  [
    'authorization',
    'OAuth oauth_consumer_key="k", oauth_token="123456789-abc", oauth_signature="abc%3D", oauth_nonce="n"',
    'OAuth oauth_consumer_key="k", oauth_token="12345678HIDDEN", oauth_signature="HIDDEN", oauth_nonce="n"',
  ],
  ['authorization', 'OAuth abcdefghijkl', 'OAuth HIDDEN'],
  ['apikey', 'abc', 'HIDDEN'],
  ['cookie', 'session=abc; theme=dark', 'session=HIDDEN; theme=HIDDEN'],
  ['set-cookie', 'session=abc; Path=/; HttpOnly', 'session=HIDDEN; Path=/; HttpOnly'],
  ['location', 'http://127.0.0.1/cb?state=s&code=c&x=1', 'http://127.0.0.1/cb?state=HIDDEN&code=HIDDEN&x=1'],
  ['x-csrf-token', 'abc', 'HIDDEN'],
  ['content-type', 'application/json', 'application/json'],
  ['x-rate-limit-remaining', '3', '3'],
])('of the header %s: %s the journal shows %s', (name, value, shown) => {
  expect(hideInHeader(name, value, OTHERS)).toBe(shown);
});

test('secrets in JSON are hidden, also in a text that is cut', () => {
  expect(hideInJson('{"token_type":"bearer","access_token":"a\\"b","author_id":"1","next_token":"n"}')).toBe(
    '{"token_type":"bearer","access_token":"HIDDEN","author_id":"1","next_token":"n"}',
  );
  expect(hideInJson('{"client_secret" : "abc')).toBe('{"client_secret" : "HIDDEN"');
  expect(hideInJson('{"media_key":"3_1","text":"the password is x"}')).toBe(
    '{"media_key":"3_1","text":"the password is x"}',
  );
});

test('secrets in forms are hidden', () => {
  const form =
    'grant_type=authorization_code&code=abc&client_id=me&client_secret=s&redirect_uri=http%3A%2F%2Fx';
  expect(hideInPairs(form, OTHERS)).toBe(
    'grant_type=authorization_code&code=HIDDEN&client_id=me&client_secret=HIDDEN&redirect_uri=http%3A%2F%2Fx',
  );
});

test.each([
  ['client%5Fsecre%74=s', 'client%5Fsecre%74=HIDDEN'],
  ['client_secret%=s', 'client_secret%=HIDDEN'],
  ['bearer=s', 'bearer=HIDDEN'],
])('a name that is escaped or not valid hides its value: %s', (sent, shown) => {
  expect(hideInPairs(sent, OTHERS)).toBe(shown);
});
