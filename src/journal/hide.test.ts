import { expect, test } from 'vitest';
import { hideInJson } from './hide-json.js';
import { hidePath } from './hide-path.js';
import { hideInBaseString, hideInHeader, hideInPairs } from './hide.js';

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

test.each([
  ['{"token_type":"bearer","access_token":"a\\"b","author_id":"1","next_token":"n"}', ['a\\"b']],
  ['{"client_secret" : "abc', ['abc']],
  ['{"client_secret":"ab\\', ['ab\\']],
  ['{"media_key":"3_1","text":"the password is x","code":32,"country_code":"DE"}', []],
  ['{"parameters":{"access_token":["abc","def"]},"tokens":["ghi"]}', ['abc', 'def', 'ghi']],
  ['{"secret":{"parts":[{"a":"abc"},["def"]],"n":17,"b":true},"c":"shown"}', ['abc', 'def', '17']],
  ['{"client\\u005fsecret":"abc","p\\u0061ssword":"def"}', ['abc', 'def']],
  ['{"code":"abc","code_verifier":"def","client_assertion":"ghi"}', ['abc', 'def', 'ghi']],
  ["{'client_secret': 'abc', 'text': 'shown'}", ["'abc'"]],
  ['{"client_secret":"abc"}\r\n{"text":"b"}\r\n', ['abc']],
  ['{"text":"{\\"access_token\\":\\"abc\\",\\"id\\":\\"1\\"}"}', ['abc']],
  ['[[["secret"]]]', []],
  ['{"secret"', []],
  ['}}]]{"password":"abc"}', ['abc']],
])('in JSON, secrets are hidden: %s', (json, secrets) => {
  const hidden = secrets.reduce((text, secret) => text.replace(secret, '\u0000'), json);
  const shown = hideInJson(json, OTHERS);
  for (const secret of secrets) expect(shown).not.toContain(secret);
  expect(shown.replaceAll(/"?HIDDEN"?/g, '')).toBe(hidden.replaceAll(/"?\u0000"?/g, ''));
});

test('in URLs, secrets are hidden, of webhooks also in the path', () => {
  const url = 'https://me:pass@hooks.example:8443/T0/aB3dE5gH7jK9mN1p/in?key=abc&a=1#access_token=t';
  const open = 'https://HIDDEN@hooks.example:8443/T0/aB3dE5gH7jK9mN1p/in?key=HIDDEN&a=1#access_token=HIDDEN';
  expect(JSON.parse(hideInJson(JSON.stringify({ url }), OTHERS))).toEqual({ url: open });
  const ofWebhook = { ...OTHERS, hidesInUrlPaths: true };
  const hidden = open.replace('aB3dE5gH7jK9mN1p', 'HIDDEN');
  expect(JSON.parse(hideInJson(JSON.stringify({ url }), ofWebhook))).toEqual({ url: hidden });
  expect(hideInPairs(`url=${encodeURIComponent(url)}`, ofWebhook)).toBe(`url=${encodeURIComponent(hidden)}`);
  const image = '{"url":"http:\\/\\/127.0.0.1\\/media\\/1\\/aB3dE5gH7jK9mN1p.jpg?size=1"}';
  expect(hideInJson(image, OTHERS)).toBe(image);
});

test('in parameters that are URLs, secrets are hidden', () => {
  const next = (to: string) => `next=${encodeURIComponent(to)}`;
  expect(hideInPairs(next('/i/oauth2/authorize?state=abc&scope=a%20b'), OTHERS)).toBe(
    next('/i/oauth2/authorize?state=HIDDEN&scope=a%20b'),
  );
  expect(hideInPairs(next(`/a?${next('/b?code=abc')}`), OTHERS)).toBe(next(`/a?${next('/b?code=HIDDEN')}`));
  expect(hideInPairs('next=/a?code=abc%', OTHERS)).not.toContain('abc');
  expect(hideInPairs(`next=${'/a?next='.repeat(20_000)}abc`, OTHERS)).not.toContain('abc');
  expect(hideInPairs('redirect_uri=http%3A%2F%2Fx%2Fcb', OTHERS)).toBe('redirect_uri=http%3A%2F%2Fx%2Fcb');
});

test.each([
  '/2/tweets/search/recentt',
  '/2/users/by/username/alice_0123456789',
  '/2/tweets&ids=1500000000000000001,1500000000000000002&tweet.fields=created_at,author_id,public_metrics',
  '/2/tweets%3Fids=1&tweet.fields%3Dcreated_at',
  '/2/getUsersByUsernameAndFields2',
  '/2/media/3_1500000000000000001',
  '/2/users/1500000000000000001-draft',
  '/.well-known/oauth-protected-resource/mcp',
  '/2/%E3%81%82%E3%81%84',
])('a path without the shape of a token is shown: %s', (path) => {
  expect(hidePath(path)).toBe(path);
});

test.each([
  ['/2/aB3dE5gH7jK9mN1pQ3', '/2/HIDDEN'],
  ['/i/0123456789abcdef0123456789abcdef/x', '/i/HIDDEN/x'],
  ['/i/550e8400-e29b-41d4-a716-446655440000', '/i/HIDDEN'],
  [`/i/${'x'.repeat(41)}.png`, '/i/HIDDEN.png'],
  [`/i/${'qwertzuiopasdfghjklyxcvbnm'}`, '/i/HIDDEN'],
  ['/2/users/access_token=abc&id=1', '/2/users/access_token=HIDDEN&id=1'],
  ['/2/users/access_token%3Dabc', '/2/users/access_token%3DHIDDEN'],
  ['/2/users/%61ccess_token=abc', '/2/users/%61ccess_token=HIDDEN'],
  ['/2/users/%61uth=abc', '/2/users/HIDDEN'],
  ['/i/aB3dE5g%2FH7jK9%2BmN1p', '/i/HIDDEN'],
  ['/i/%61B3dE5gH7j%4b9mN1p', '/i/HIDDEN'],
])('of the path %s the journal shows %s', (path, shown) => {
  expect(hidePath(path)).toBe(shown);
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
  ['client_assertion=s', 'client_assertion=HIDDEN'],
])('a name that is escaped or not valid hides its value: %s', (sent, shown) => {
  expect(hideInPairs(sent, OTHERS)).toBe(shown);
});
