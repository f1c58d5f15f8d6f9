import { createHash, createHmac } from 'node:crypto';
import { encodePercent } from '../percent.js';
import type { SigningSecrets } from '../signature.js';
import type { Variant } from './variant.js';

/** The parts of a key, with the public halves that clients confuse with them. */
export interface KeyParts extends SigningSecrets {
  readonly consumerKey: string;
  readonly token: string;
}

/** Returns the HMAC keys that a client may have used, the right one first (RFC 5849 3.4.2). The texts are secret. */
export function keyVariants({ consumerSecret, tokenSecret, consumerKey, token }: KeyParts): Variant[] {
  const key = (consumer: string, ofToken: string) => `${encodePercent(consumer)}&${encodePercent(ofToken)}`;
  const twice = (text: string) => encodePercent(encodePercent(text));
  const endings = ['\n', '\r\n', ' ', '\r'] as const;
  return [
    { text: key(consumerSecret, tokenSecret) },
    { text: key(consumerSecret, ''), mistake: 'signed without the token secret' },
    { text: key(tokenSecret, consumerSecret), mistake: 'swapped the consumer secret and the token secret' },
    {
      text: encodePercent(consumerSecret),
      mistake: 'signed with the consumer secret alone, without & after it',
    },
    { text: key('', tokenSecret), mistake: 'signed without the consumer secret' },
    { text: key(consumerKey, tokenSecret), mistake: 'used the consumer key as the consumer secret' },
    { text: key(consumerSecret, token), mistake: 'used the token as the token secret' },
    { text: key(consumerKey, token), mistake: 'used the consumer key and the token as the secrets' },
    { text: `${consumerSecret}&${tokenSecret}`, mistake: 'did not escape the secrets in the key' },
    {
      text: `${twice(consumerSecret)}&${twice(tokenSecret)}`,
      mistake: 'escaped the secrets twice in the key',
    },
    {
      text: encodePercent(consumerSecret) + encodePercent(tokenSecret),
      mistake: 'left out the & between the secrets',
    },
    {
      text: encodePercent(`${consumerSecret}&${tokenSecret}`),
      mistake: 'escaped the & between the secrets',
    },
    ...endings.flatMap((end) => [
      {
        text: key(consumerSecret + end, tokenSecret),
        mistake: `used a consumer secret with ${WORDS[end]} at its end`,
      },
      {
        text: key(consumerSecret, tokenSecret + end),
        mistake: `used a token secret with ${WORDS[end]} at its end`,
      },
      {
        text: key(consumerSecret + end, tokenSecret + end),
        mistake: `used secrets with ${WORDS[end]} at their ends`,
      },
    ]),
    ...(['"', "'"] as const).map((quote) => ({
      text: key(quote + consumerSecret + quote, quote + tokenSecret + quote),
      mistake: 'used the secrets with the quotation marks around them',
    })),
  ];
}

const WORDS = {
  '\n': 'a line break',
  '\r\n': 'a Windows line break',
  ' ': 'a space',
  '\r': 'a carriage return',
} as const;

/** A way to compute a signature. */
export interface Digest extends Variant {
  readonly sign: (base: string, key: string) => string;
}

const hmac = (algorithm: string, encoding: 'base64' | 'hex' | 'base64url') => (base: string, key: string) =>
  createHmac(algorithm, key).update(base).digest(encoding);

/** The ways that clients use, the right one first. */
export const DIGESTS: readonly Digest[] = [
  { text: 'HMAC-SHA1', sign: hmac('sha1', 'base64') },
  { text: 'HMAC-SHA256', sign: hmac('sha256', 'base64'), mistake: 'used HMAC-SHA256 instead of HMAC-SHA1' },
  { text: 'hex', sign: hmac('sha1', 'hex'), mistake: 'wrote the signature in hexadecimal instead of base64' },
  {
    text: 'base64 of hex',
    sign: (base, key) => Buffer.from(hmac('sha1', 'hex')(base, key)).toString('base64'),
    mistake: 'encoded the hexadecimal text of the HMAC in base64 instead of its bytes',
  },
  { text: 'base64url', sign: hmac('sha1', 'base64url'), mistake: 'wrote the signature in base64url' },
  {
    text: 'no padding',
    sign: (base, key) => hmac('sha1', 'base64')(base, key).replaceAll('=', ''),
    mistake: 'left out the = at the end of the signature',
  },
  { text: 'HMAC-SHA512', sign: hmac('sha512', 'base64'), mistake: 'used HMAC-SHA512 instead of HMAC-SHA1' },
  { text: 'PLAINTEXT', sign: (_, key) => key, mistake: 'sent the key as the signature, as PLAINTEXT does' },
  {
    text: 'SHA1',
    sign: (base, key) => createHash('sha1').update(base).update(key).digest('base64'),
    mistake: 'hashed base string and key with SHA-1 instead of HMAC-SHA1',
  },
];
