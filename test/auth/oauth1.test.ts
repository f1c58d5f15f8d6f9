import { OAuth1 } from '@xdevplatform/xdk';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { AuthRequest } from '../../src/auth/auth-request.js';
import { createBaseUrlCandidates } from '../../src/auth/oauth1/base-urls.js';
import { createExchangedCounts } from '../../src/limits/exchange/exchanged-counts.js';
import { OAuth1Refused } from '../../src/auth/oauth1/refusal.js';
import { createOAuth1Verifier } from '../../src/auth/oauth1/verify.js';
import type { PipitError } from '../../src/core/errors.js';
import { encode, signHeader, signedParameters, toHeader, type Signing } from './support/sign.js';

const NOW_SECONDS = 1_600_000_000;
const SECRETS = { consumerSecret: 'cs&%', tokenSecret: 'ts ü' };

const signing: Signing = {
  method: 'GET',
  url: 'http://127.0.0.1:8080/2/tweets?ids=1,2&tweet.fields=id',
  consumerKey: 'ck',
  token: '5-t',
  ...SECRETS,
  timestampSeconds: NOW_SECONDS,
  nonce: 'n1',
};

/** Returns the unmodified request for what a client signed. */
function sent(signed: Signing, overrides: Partial<AuthRequest> = {}): AuthRequest {
  const url = new URL(signed.url);
  return {
    method: signed.method,
    url: url.pathname + url.search,
    headers: { host: url.host, authorization: signHeader(signed) },
    formBody: signed.form,
    encrypted: false,
    ...overrides,
  };
}

function createVerifier(nowMs = NOW_SECONDS * 1000, baseUrls: string[] = []) {
  const verifier = createOAuth1Verifier({
    clock: () => nowMs,
    nonces: createExchangedCounts().nonces,
    baseUrls: createBaseUrlCandidates({ baseUrls, trustedProxies: [] }),
  });
  return (request: AuthRequest, secrets = SECRETS) =>
    verifier.verify(request, verifier.read(request), secrets);
}

function refusalOf(call: () => void) {
  try {
    call();
  } catch (error) {
    return (error as PipitError).failure;
  }
  return undefined;
}

describe('signed requests are accepted', () => {
  const host = 'api.example';
  const withHeader = (signature: string) =>
    'OAuth oauth_nonce="n1", oauth_timestamp="1600000000", oauth_version="1.0", oauth_signature_method="HMAC-SHA1", ' +
    `oauth_consumer_key="ck", oauth_token="5-t", oauth_signature="${signature}"`;
  const withPairs = (signature: string) =>
    'a=1&oauth_nonce=n1&oauth_timestamp=1600000000&oauth_version=1.0&oauth_signature_method=HMAC-SHA1' +
    `&oauth_consumer_key=ck&oauth_token=5-t&oauth_signature=${signature}`;

  // These signatures were made by another implementation, oauthlib 3.2.2.
  it.each<[string, AuthRequest]>([
    [
      'with a query in its header',
      {
        method: 'GET',
        url: '/2/tweets?ids=1,2&tweet.fields=a%2Cb&q=r%20b+c&e=&d=2&d=1',
        headers: { host: 'API.Example:80', authorization: withHeader('GI9SHHyBlzELzZu1sgDuMcTYZqo%3D') },
        encrypted: false,
      },
    ],
    [
      'with a form body in its header',
      {
        method: 'POST',
        url: '/1.1/x?b=%C3%BC',
        formBody: 'status=Hello+Ladies+%2B+G%21&a=%7E',
        headers: { host: `${host}:8443`, authorization: withHeader('vwIUP2AlblvU3gPh%2FB2xd2wxHaM%3D') },
        encrypted: true,
      },
    ],
    [
      'in its query',
      {
        method: 'GET',
        url: `/2/x?${withPairs('d%2BRzrOvqNMeTcgcrFp6xK%2BJBkQk%3D')}`,
        headers: { host },
        encrypted: false,
      },
    ],
    [
      'in its form body',
      {
        method: 'POST',
        url: '/2/x',
        formBody: withPairs('T3UEz%2F5bHZsFfVItG78JfF1jS2M%3D'),
        headers: { host },
        encrypted: false,
      },
    ],
  ])('%s (RFC 5849 3.5)', (_, request) => {
    expect(refusalOf(() => createVerifier()(request))).toBeUndefined();
  });

  it('when signed by the client library of the original platform', async () => {
    const client = new OAuth1({
      apiKey: 'ck',
      apiSecret: 'cs',
      callback: 'oob',
      accessToken: '5-t',
      accessTokenSecret: 'ts',
    });
    const url = 'http://127.0.0.1:8080/2/tweets?ids=1%2C2&tweet.fields=id';
    const authorization = await client.buildRequestHeader('GET', url);
    const request = sent({ ...signing, url }, { headers: { host: '127.0.0.1:8080', authorization } });
    const secrets = { consumerSecret: 'cs', tokenSecret: 'ts' };
    expect(refusalOf(() => createVerifier(Date.now())(request, secrets))).toBeUndefined();
  });

  it('whatever their parameters, keys and secrets', () => {
    const text = fc.string({ unit: 'grapheme' });
    const name = text.filter((candidate) => !candidate.startsWith('oauth_'));
    const pairs = fc.array(fc.tuple(name, text), { maxLength: 6 });
    const form = (entries: [string, string][]) => new URLSearchParams(entries).toString();
    fc.assert(
      fc.property(pairs, pairs, text, text, (query, body, consumerSecret, tokenSecret) => {
        const signed = {
          ...signing,
          url: `http://127.0.0.1:8080/2/tweets?${form(query)}`,
          form: form(body),
          consumerSecret,
          tokenSecret,
        };
        const verify = createVerifier();
        expect(refusalOf(() => verify(sent(signed), { consumerSecret, tokenSecret }))).toBeUndefined();
      }),
    );
  });

  it.each([
    ['the Host header, with TLS terminated by a proxy', 'https://api.example/2/x', 'api.example', []],
    ['a host in upper case', 'http://api.example/2/x', 'API.EXAMPLE', []],
    ['an IPv6 address', 'http://[::1]:8080/2/x', '[::1]:8080', []],
    ['a default port in the Host header', 'https://api.example/2/x', 'api.example:443', []],
    ['a configured URL', 'https://api.x.com/2/x', '127.0.0.1:8080', ['https://api.x.com']],
    ['a configured path prefix', 'https://a.example/pipit/2/x', 'inner', ['https://a.example/pipit']],
  ])('when the client signed for %s', (_, url, host, baseUrls) => {
    const request = sent(
      { ...signing, url },
      { url: '/2/x', headers: { host, authorization: signHeader({ ...signing, url }) } },
    );
    expect(refusalOf(() => createVerifier(undefined, baseUrls)(request))).toBeUndefined();
  });
});

describe('signed requests are refused', () => {
  it('when any byte of target, body, header or method changes', () => {
    const signed = { ...signing, method: 'POST', form: 'a=b&c=d', version: '1.0' };
    const original = sent(signed);
    const flip = (text: string, index: number) =>
      text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ 1) + text.slice(index + 1);
    const texts = {
      url: original.url,
      formBody: original.formBody ?? '',
      authorization: original.headers.authorization ?? '',
    };
    const tampered = (part: keyof typeof texts, index: number): AuthRequest => {
      const text = flip(texts[part], index);
      return part === 'authorization'
        ? { ...original, headers: { ...original.headers, authorization: text } }
        : { ...original, [part]: text };
    };
    let tried = 0;
    for (const part of ['url', 'formBody', 'authorization'] as const) {
      for (let index = 0; index < texts[part].length; index += 1) {
        const request = tampered(part, index);
        expect(refusalOf(() => createVerifier()(request))?.code, `${part} ${index}`).toBe('unauthorized');
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(200);
    expect(refusalOf(() => createVerifier()({ ...original, method: 'PUT' }))?.code).toBe('unauthorized');
    expect(refusalOf(() => createVerifier()(original))).toBeUndefined();
  });

  it('when a parameter is added, removed or moved to the body', () => {
    const original = sent(signing);
    for (const url of [`${original.url}&a=1`, '/2/tweets?ids=1,2', '/2/tweets']) {
      expect(refusalOf(() => createVerifier()({ ...original, url }))).toEqual({ code: 'unauthorized' });
    }
    expect(refusalOf(() => createVerifier()({ ...original, formBody: 'a=1' }))?.code).toBe('unauthorized');
  });

  it('when signed for another host, port, scheme or path', () => {
    for (const url of [
      'http://127.0.0.1:8081/2/x',
      'http://localhost:8080/2/x',
      'ftp://127.0.0.1:8080/2/x',
      'http://127.0.0.1:8080/2/X',
    ]) {
      const authorization = signHeader({ ...signing, url });
      const request = sent(signing, { url: '/2/x', headers: { host: '127.0.0.1:8080', authorization } });
      expect(refusalOf(() => createVerifier()(request))?.code, url).toBe('unauthorized');
    }
  });

  it('with either secret wrong, or both swapped', () => {
    const request = sent(signing);
    for (const secrets of [
      { ...SECRETS, consumerSecret: 'x' },
      { ...SECRETS, tokenSecret: '' },
      { consumerSecret: SECRETS.tokenSecret, tokenSecret: SECRETS.consumerSecret },
    ]) {
      expect(refusalOf(() => createVerifier()(request, secrets))?.code).toBe('unauthorized');
    }
  });

  it('more than 5 minutes in the past or a minute in the future, with code 135', () => {
    const at = (offsetMs: number) =>
      refusalOf(() => createVerifier(NOW_SECONDS * 1000 + offsetMs)(sent(signing)));
    const outOfBounds = { code: 'unauthorized', reason: 'timestamp-out-of-bounds' };
    expect(at(300_001)).toEqual(outOfBounds);
    expect(at(-60_001)).toEqual(outOfBounds);
    expect(at(300_000)).toBeUndefined();
    expect(at(-60_000)).toBeUndefined();
  });

  it('when repeated, unless the first was refused (docs/api/authentication.md#signature)', () => {
    const verify = createVerifier();
    const request = sent(signing);
    expect(refusalOf(() => verify({ ...request, method: 'PUT' }))?.code).toBe('unauthorized');
    expect(refusalOf(() => verify(request))).toBeUndefined();
    expect(refusalOf(() => verify(request))).toEqual({ code: 'unauthorized' });
  });

  const parameters = signedParameters(signing);
  const headerWith = (changes: Record<string, string | undefined>) => {
    const kept = Object.entries({ ...parameters, ...changes }).filter(([, value]) => value !== undefined);
    return toHeader(Object.fromEntries(kept) as Record<string, string>);
  };

  it.each([
    ['oauth_consumer_key', undefined],
    ['oauth_consumer_key', ''],
    ['oauth_signature', undefined],
    ['oauth_signature', ''],
    ['oauth_nonce', undefined],
    ['oauth_nonce', 'n'.repeat(257)],
    ['oauth_timestamp', undefined],
    ['oauth_timestamp', '0'],
    ['oauth_timestamp', '-1600000000'],
    ['oauth_timestamp', '1600000000.5'],
    ['oauth_timestamp', '1e9'],
    ['oauth_signature_method', undefined],
    ['oauth_signature_method', 'PLAINTEXT'],
    ['oauth_signature_method', 'HMAC-SHA256'],
    ['oauth_signature_method', 'hmac-sha1'],
    ['oauth_version', '2.0'],
    ['oauth_version', ''],
  ])('with %s as [%s]', (name, value) => {
    const authorization = headerWith({ [name]: value });
    const request = sent(signing, { headers: { host: '127.0.0.1:8080', authorization } });
    expect(refusalOf(() => createVerifier()(request))?.code).toBe('unauthorized');
  });

  it('with two values for a protocol parameter in header, query or body', () => {
    for (const [name, value] of Object.entries(parameters)) {
      const pair = `${name}=${encode(`${value}x`)}`;
      const request = sent(signing);
      const inQuery = { ...request, url: `${request.url}&${pair}` };
      expect(refusalOf(() => createVerifier()(inQuery))?.code, pair).toBe('unauthorized');
      expect(refusalOf(() => createVerifier()({ ...request, formBody: pair }))?.code).toBe('unauthorized');
    }
  });
});

describe('protocol parameters sent twice with one value', () => {
  const url = 'http://127.0.0.1:8080/oauth/access_token';
  const form = 'oauth_token=5-t&oauth_verifier=1234567';

  it('count once, whether signed once or twice', () => {
    const once = sent(
      { ...signing, url, form: 'oauth_verifier=1234567', method: 'POST' },
      { formBody: form },
    );
    const twice = sent({ ...signing, url, form, method: 'POST' });
    expect(refusalOf(() => createVerifier()(once))).toBeUndefined();
    expect(refusalOf(() => createVerifier()(twice))).toBeUndefined();
  });

  it('can be all of them, in header and query', () => {
    const request = sent(signing);
    const pairs = Object.entries(signedParameters(signing)).map(
      ([name, value]) => `${name}=${encode(value)}`,
    );
    const both = { ...request, url: `${request.url}&${pairs.join('&')}` };
    expect(refusalOf(() => createVerifier()(both))).toBeUndefined();
  });
});

test.each(['1.0A', '1.0a'])('version %s is accepted as 1.0', (version) => {
  expect(refusalOf(() => createVerifier()(sent({ ...signing, version })))).toBeUndefined();
});

describe('a refusal is logged with', () => {
  const refused = (request: AuthRequest, secrets = SECRETS) => {
    try {
      createVerifier()(request, secrets);
    } catch (error) {
      if (error instanceof OAuth1Refused) return error;
    }
    throw new Error('the request was not refused as one that is signed');
  };

  it.each<[OAuth1Refused['part'], AuthRequest]>([
    ['consumer', sent({ ...signing, consumerKey: '' })],
    ['timestamp', sent({ ...signing, timestampSeconds: NOW_SECONDS - 301 })],
    ['nonce', sent({ ...signing, nonce: 'n'.repeat(257) })],
    ['signature', sent(signing, { url: '/2/tweets?ids=1,3' })],
    ['parameters', sent(signing, { headers: { host: 'x', authorization: 'OAuth broken' } })],
  ])('the invalid part %s', (part, request) => {
    expect(refused(request).part).toBe(part);
  });

  it('the expected base string, without secret values', () => {
    const url = 'http://127.0.0.1:8080/1.1/x?a=1,2&access_token=opensesame';
    const { baseString } = refused(sent({ ...signing, url }), { ...SECRETS, tokenSecret: 'other' });
    expect(baseString).toBe(
      `GET&${encode('http://127.0.0.1:8080/1.1/x')}&` +
        encode(
          `a=1%2C2&access_token=HIDDEN&oauth_consumer_key=ck&oauth_nonce=n1&oauth_signature_method=HMAC-SHA1` +
            `&oauth_timestamp=${NOW_SECONDS}&oauth_token=HIDDEN`,
        ),
    );
  });
});
