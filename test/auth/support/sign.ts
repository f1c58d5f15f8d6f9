import { createHmac } from 'node:crypto';

/** The input of a client’s signature. Written independently of the server’s code, to share no error with it. */
export interface Signing {
  readonly method: string;
  /** Absolute, with its query. */
  readonly url: string;
  readonly form?: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token?: string;
  readonly tokenSecret?: string;
  readonly timestampSeconds: number;
  readonly nonce: string;
  readonly version?: string;
  readonly extra?: Readonly<Record<string, string>>;
}

const UNRESERVED = /^[A-Za-z0-9._~-]$/;

export function encode(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return UNRESERVED.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** Returns the protocol parameters with their signature. */
export function signedParameters(signing: Signing): Record<string, string> {
  const url = new URL(signing.url);
  const oauth: Record<string, string> = {
    oauth_consumer_key: signing.consumerKey,
    oauth_nonce: signing.nonce,
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(signing.timestampSeconds),
    ...(signing.token === undefined ? {} : { oauth_token: signing.token }),
    ...(signing.version === undefined ? {} : { oauth_version: signing.version }),
    ...signing.extra,
  };
  const pairs = [
    ...Object.entries(oauth),
    ...new URLSearchParams(url.search),
    ...new URLSearchParams(signing.form ?? ''),
  ].map(([name, value]) => `${encode(name)}\0${encode(value)}`);
  const parameters = pairs
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((pair) => pair.replace('\0', '='))
    .join('&');
  const base = [signing.method.toUpperCase(), url.origin + url.pathname, parameters].map(encode).join('&');
  const key = `${encode(signing.consumerSecret)}&${encode(signing.tokenSecret ?? '')}`;
  return { ...oauth, oauth_signature: createHmac('sha1', key).update(base).digest('base64') };
}

export function toHeader(parameters: Readonly<Record<string, string>>): string {
  const members = Object.entries(parameters).map(([name, value]) => `${encode(name)}="${encode(value)}"`);
  return `OAuth ${members.join(', ')}`;
}

/** Returns the Authorization header of a signed request. */
export function signHeader(signing: Signing): string {
  return toHeader(signedParameters(signing));
}
