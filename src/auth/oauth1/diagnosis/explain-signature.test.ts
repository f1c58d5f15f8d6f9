import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startCpuTime } from '../../../../test/support/cpu-time.js';
import type { AuthRequest } from '../../auth-request.js';
import { encodePercent } from '../percent.js';
import { type Pair, readProtocol } from '../protocol.js';
import { normalizeParameters } from '../signature.js';
import { explainSignature } from './explain-signature.js';

/** What a client signs; each mistake changes one member. Written apart from the search, to share no error with it. */
interface Signing {
  readonly method: string;
  readonly url: string;
  readonly pairs: readonly Pair[];
  readonly parameters?: string;
  readonly key: string;
  readonly algorithm?: string;
  readonly base?: string;
}

interface Sample {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: readonly Pair[];
  readonly form: readonly Pair[];
  readonly consumerSecret: string;
  readonly tokenSecret: string;
}

const HOST = '127.0.0.1:8080';
const OAUTH: readonly Pair[] = [
  ['oauth_consumer_key', 'key-of-app'],
  ['oauth_nonce', 'n 1'],
  ['oauth_signature_method', 'HMAC-SHA1'],
  ['oauth_timestamp', '1600000000'],
  ['oauth_token', '5-t'],
  ['oauth_version', '1.0'],
];

const escaped = encodePercent;

function signed({ method, url, pairs, parameters, key, algorithm = 'sha1', base }: Signing): string {
  const text = `${method}&${escaped(url)}&${escaped(parameters ?? normalizeParameters(pairs))}`;
  return createHmac(algorithm, key)
    .update(base ?? text)
    .digest('base64');
}

function rightSigning({ method, path, query, form, consumerSecret, tokenSecret }: Sample): Signing {
  return {
    method,
    url: `http://${HOST}${path}`,
    pairs: [...OAUTH, ...query, ...form],
    key: `${escaped(consumerSecret)}&${escaped(tokenSecret)}`,
  };
}

const queryText = (pairs: readonly Pair[]) =>
  pairs.map((pair) => new URLSearchParams([[...pair]]).toString()).join('&');

function explain(sample: Sample, signature: string, more: Partial<AuthRequest> = {}, body?: string) {
  const header = [...OAUTH, ['oauth_signature', signature] as const];
  const query = queryText(sample.query);
  const request: AuthRequest = {
    method: sample.method,
    url: sample.path + (query === '' ? '' : `?${query}`),
    headers: {
      host: HOST,
      authorization: `OAuth ${header.map(([name, value]) => `${name}="${escaped(value)}"`).join(', ')}`,
    },
    formBody: sample.form.length > 0 ? queryText(sample.form) : undefined,
    encrypted: false,
    ...more,
  };
  const { consumerSecret, tokenSecret } = sample;
  return explainSignature({
    request,
    protocol: readProtocol(request),
    secrets: { consumerSecret, tokenSecret },
    baseUrls: [`http://${HOST}`, `https://${HOST}`],
    body,
  });
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((value) => `${value} ,!é`);
const name = fc.stringMatching(/^[a-z]{1,8}$/);
const pairs = (prefix: string) =>
  fc.array(
    fc.tuple(
      name.map((each) => prefix + each),
      text,
    ),
    { minLength: 1, maxLength: 4 },
  );
const secret = fc.stringMatching(/^[A-Za-z0-9%&+]{8,20}$/);
const samples: fc.Arbitrary<Sample> = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  path: fc.constantFrom('/2/tweets', '/2/users/12/likes', '/1.1/statuses/update.json'),
  query: pairs('q'),
  form: pairs('f'),
  consumerSecret: secret.map((value) => `c${value}%`),
  tokenSecret: secret.map((value) => `t${value}&`),
});

type Change = (signing: Signing, sample: Sample) => Partial<Signing>;
const without = (signing: Signing, dropped: string) => ({
  pairs: signing.pairs.filter(([each]) => each !== dropped),
});
const withEncoding = (encode: (value: string) => string): Change => {
  return ({ pairs: all }) => ({
    parameters: all
      .map(([each, value]) => `${encode(each)}=${encode(value)}`)
      .sort()
      .join('&'),
  });
};
const last = <T>(items: readonly T[]) => items.slice(-1);

const MISTAKES: Readonly<Record<string, readonly [change: Change, words: RegExp]>> = {
  'another host': [({ url }) => ({ url: url.replace(`http://${HOST}`, 'https://api.x.com') }), /api\.x\.com/],
  'the older host': [
    ({ url }) => ({ url: url.replace(`http://${HOST}`, 'https://api.twitter.com') }),
    /api\.twitter\.com/,
  ],
  'no port': [({ url }) => ({ url: url.replace(':8080', '') }), /signed the address http:\/\/127\.0\.0\.1 /],
  'another local name': [({ url }) => ({ url: url.replace('127.0.0.1', 'localhost') }), /localhost:8080/],
  'a slash at the end': [({ url }) => ({ url: `${url}/` }), /with a slash at the end/],
  'the query in the address': [
    ({ url }, { query }) => ({ url: `${url}?${queryText(query)}` }),
    /query as a part of the address/,
  ],
  'the method in lower case': [({ method }) => ({ method: method.toLowerCase() }), /method as (get|post)/],
  'another method': [() => ({ method: 'PUT' }), /the method PUT/],
  'no query': [(_, { form }) => ({ pairs: [...OAUTH, ...form] }), /left out the (query|parameter)/],
  'no form body': [(_, { query }) => ({ pairs: [...OAUTH, ...query] }), /left out the (form|parameter)/],
  'only OAuth parameters': [() => ({ pairs: OAUTH }), /left out the query and the form body/],
  'one parameter left out': [
    (signing, { query }) => without(signing, last(query)[0]?.[0] ?? ''),
    /left out the (query|parameter q)/,
  ],
  'no nonce': [(signing) => without(signing, 'oauth_nonce'), /left out the parameter oauth_nonce/],
  'no token': [(signing) => without(signing, 'oauth_token'), /left out the parameter oauth_token/],
  'a doubled parameter': [
    ({ pairs: all }) => ({ pairs: [...all, ...all.filter(([each]) => each === 'oauth_token')] }),
    /parameter oauth_token twice/,
  ],
  'a doubled query': [
    ({ pairs: all }, { query }) => ({ pairs: [...all, ...query] }),
    /(query|parameter q[a-z]+) twice/,
  ],
  'unescaped parameters': [withEncoding((value) => value), /did not escape the parameters/],
  'double escapes': [withEncoding((value) => escaped(escaped(value))), /escaped the parameters twice/],
  encodeURIComponent: [withEncoding(encodeURIComponent), /encodeURIComponent/],
  'plus for spaces': [withEncoding((value) => escaped(value).replaceAll('%20', '+')), /spaces as \+/],
  'unsorted parameters': [
    ({ pairs: all }) => ({ parameters: [...all].map((pair) => pair.map(escaped).join('=')).join('&') }),
    /did not sort/,
  ],
  'swapped secrets': [
    (_, { consumerSecret, tokenSecret }) => ({ key: `${escaped(tokenSecret)}&${escaped(consumerSecret)}` }),
    /swapped the consumer secret/,
  ],
  'no token secret': [
    (_, { consumerSecret }) => ({ key: `${escaped(consumerSecret)}&` }),
    /without the token secret/,
  ],
  'unescaped secrets': [
    (_, { consumerSecret, tokenSecret }) => ({ key: `${consumerSecret}&${tokenSecret}` }),
    /did not escape the secrets/,
  ],
  'a line break in a secret': [
    ({ key }) => ({ key: `${key}%0A` }),
    /token secret with a line break at its end/,
  ],
  'HMAC-SHA256': [() => ({ algorithm: 'sha256' }), /HMAC-SHA256 instead/],
  'an unescaped base string': [
    ({ method, url, pairs: all }) => ({ base: `${method}&${escaped(url)}&${normalizeParameters(all)}` }),
    /did not escape the joined parameters/,
  ],
};

describe('the mistake of a client', () => {
  it.each(Object.entries(MISTAKES))('%s is found in any signed request', (_, [change, words]) => {
    fc.assert(
      fc.property(samples, (sample) => {
        const right = rightSigning(sample);
        const wrong = signed({ ...right, ...change(right, sample) });
        // Two ways of signing may give the same text, and then there is no mistake.
        fc.pre(wrong !== signed(right));
        const { step, summary } = explain(sample, wrong);
        expect(step).toBe('signature');
        expect(summary).toMatch(words);
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ['another host', 'a slash at the end'],
    ['another host', 'plus for spaces'],
    ['another host', 'no query'],
    ['the older host', 'swapped secrets'],
    ['no form body', 'no token secret'],
    ['the method in lower case', 'unsorted parameters'],
  ])('%s together with %s is found', (one, two) => {
    fc.assert(
      fc.property(samples, (sample) => {
        const right = rightSigning(sample);
        const [first, second] = [MISTAKES[one], MISTAKES[two]];
        const changed = { ...right, ...first?.[0](right, sample) };
        const { summary } = explain(sample, signed({ ...changed, ...second?.[0](changed, sample) }));
        expect(summary).toMatch(first?.[1] ?? /-/);
        expect(summary).toMatch(second?.[1] ?? /-/);
      }),
      { numRuns: 10 },
    );
  });

  const sample: Sample = {
    method: 'POST',
    path: '/2/tweets',
    query: [['qa', 'x y']],
    form: [],
    consumerSecret: 'consumer-secret',
    tokenSecret: 'token-secret',
  };

  it('shows both base strings', () => {
    const right = rightSigning(sample);
    const { compared } = explain(sample, signed({ ...right, url: 'https://api.x.com/2/tweets' }));
    const shown = right.pairs.map(([name, value]): Pair => [name, name === 'oauth_token' ? 'HIDDEN' : value]);
    const parameters = escaped(normalizeParameters(shown));
    expect(compared).toEqual([
      {
        what: 'Base string',
        client: `POST&${escaped('https://api.x.com/2/tweets')}&${parameters}`,
        server: `POST&${escaped(`http://${HOST}/2/tweets`)}&${parameters}`,
      },
    ]);
  });

  it('is found when the client signed the members of its JSON body', () => {
    const right = rightSigning(sample);
    const signature = signed({ ...right, pairs: [...right.pairs, ['text', 'Hello'], ['n', '1']] });
    expect(explain(sample, signature, {}, '{"text":"Hello","n":1}').summary).toMatch(
      /members of the JSON body/,
    );
  });

  it('is found in the text of the signature', () => {
    const right = signed(rightSigning(sample));
    expect(explain(sample, escaped(right)).summary).toMatch(/escaped its signature twice/);
    const hex = createHmac('sha1', rightSigning(sample).key).update(baseOf(sample)).digest('hex');
    expect(explain(sample, hex).summary).toMatch(/in hexadecimal/);
    expect(explain(sample, rightSigning(sample).key).summary).toMatch(/PLAINTEXT/);
  });

  it('never shows secrets', () => {
    const secret = {
      ...sample,
      query: [
        ['oauth_verifier', 'secret-verifier'],
        ['code', 'secret-code'],
      ] as Pair[],
    };
    const right = rightSigning(secret);
    const wrong = { ...right, url: `${right.url}?${queryText(secret.query)}` };
    for (const signature of [signed(wrong), 'none', signed({ ...right, key: 'consumer-secret' })]) {
      const shown = JSON.stringify(explain(secret, signature));
      expect(shown).not.toMatch(/secret-verifier|secret-code|consumer-secret|token-secret/);
    }
  });

  it('stays unknown when a secret is another one', () => {
    const signature = signed({ ...rightSigning(sample), key: 'other&secrets' });
    const { summary, compared, hints } = explain(sample, signature);
    expect(summary).toMatch(/none of the usual mistakes/);
    expect(hints?.join(' ')).toMatch(/a secret is wrong/);
    expect(compared?.[0]?.client).toBeUndefined();
    expect(compared?.[0]?.server).toMatch(/^POST&http%3A%2F%2F127\.0\.0\.1%3A8080%2F2%2Ftweets&/);
  });

  it('is not looked for in a very long request, and the work for any other is bounded', () => {
    const long = { ...sample, query: [['qa', 'x'.repeat(40_000)]] as Pair[] };
    expect(explain(long, 'none').summary).toMatch(/too long/);
    const many = Array.from({ length: 900 }, (_, index): Pair => [`q${index}`, 'é'.repeat(2)]);
    const cpuMs = startCpuTime();
    explain({ ...sample, query: many }, 'none');
    expect(cpuMs()).toBeLessThan(1_000);
  });

  it.each([
    ['an invalid Host header', '/', []],
    ['odd parameters', '/2/x?%00=%00&a[]=1&__proto__=1&=&&=x&constructor=%E2%80%AE', ['http://a']],
  ])('does not fail for %s', (_, url, baseUrls) => {
    const authorization =
      'OAuth oauth_consumer_key="k", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1", oauth_signature="s"';
    const request: AuthRequest = { method: 'GET', url, headers: { authorization }, encrypted: false };
    const { step } = explainSignature({
      request,
      protocol: readProtocol(request),
      secrets: { consumerSecret: '', tokenSecret: '' },
      baseUrls,
      body: '{"__proto__":1,"x":"\\ud800"}',
    });
    expect(step).toBe('signature');
  });
});

function baseOf(sample: Sample): string {
  const { method, url, pairs: all } = rightSigning(sample);
  return `${method}&${escaped(url)}&${escaped(normalizeParameters(all))}`;
}
