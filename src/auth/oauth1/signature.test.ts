import { describe, expect, it } from 'vitest';
import { baseString, normalizeParameters, signBaseString } from './signature.js';
import { parseForm } from './protocol.js';

const PUBLISHED = {
  oauth_consumer_key: 'xvz1evFS4wEEPTGEFPHBog',
  oauth_nonce: 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg',
  oauth_signature_method: 'HMAC-SHA1',
  oauth_timestamp: '1318622958',
  oauth_token: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
  oauth_version: '1.0',
};

describe('the base string', () => {
  it('gives the published signature of the published request (docs/api/authentication.md#signature)', () => {
    const pairs = [
      ...Object.entries(PUBLISHED),
      ...parseForm('include_entities=true'),
      ...parseForm('status=Hello%20Ladies%20%2B%20Gentlemen%2C%20a%20signed%20OAuth%20request%21'),
    ];
    const text = baseString('post', 'https://api.x.com/1.1/statuses/update.json', normalizeParameters(pairs));
    const signature = signBaseString(text, {
      consumerSecret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
      tokenSecret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
    });
    expect(signature).toBe('Ls93hJiZbQ3akF3HF3x1Bz8/zU4=');
  });

  it('sorts by encoded name, then encoded value, and keeps duplicates (RFC 5849 3.4.1.3.2)', () => {
    const query = 'b5=%3D%253D&a3=a&c%40=&a2=r%20b';
    const body = 'c2&a3=2+q';
    expect(normalizeParameters([...parseForm(query), ...parseForm(body)])).toBe(
      'a2=r%20b&a3=2%20q&a3=a&b5=%3D%253D&c%40=&c2=',
    );
  });

  it('keeps dots and encodes the commas of list parameters (docs/api/authentication.md#signature)', () => {
    expect(normalizeParameters(parseForm('tweet.fields=id,text'))).toBe('tweet.fields=id%2Ctext');
  });

  it('encodes everything except unreserved characters, in UTF-8 (RFC 5849 3.6)', () => {
    expect(normalizeParameters([["-._~!'()*", 'ü\u{1f600}']])).toBe('-._~%21%27%28%29%2A=%C3%BC%F0%9F%98%80');
  });

  it('contains a repeated parameter twice', () => {
    const token = ['oauth_token', 't'] as const;
    expect(normalizeParameters([token, token])).toBe('oauth_token=t&oauth_token=t');
  });
});

describe('form text', () => {
  it('skips empty parts and reads a part without "=" as an empty value', () => {
    expect(parseForm('&a&&b=1=2&')).toEqual([
      ['a', ''],
      ['b', '1=2'],
    ]);
  });

  it.each(['a=%', 'a=%4', '%zz=1', 'a=%ff', 'a=%ed%a0%80'])('refuses the broken escape in %s', (text) => {
    expect(() => parseForm(text)).toThrow('broken escape');
  });

  it('refuses more parameters than any endpoint needs', () => {
    expect(parseForm('a&'.repeat(999) + 'a')).toHaveLength(1000);
    expect(() => parseForm('a&'.repeat(1000) + 'a')).toThrow('too many');
  });
});
