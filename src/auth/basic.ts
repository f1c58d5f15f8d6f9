import { decodePercent } from './oauth1/percent.js';

/** A name and secret from a Basic header. */
export interface BasicCredentials {
  readonly name: string;
  readonly secret: string;
}

const BASIC = /^Basic +([A-Za-z0-9+/_-]+=*)$/i;

/**
 * Returns the possible meanings of a Basic header: both parts as sent (RFC 7617), and percent-decoded, since OAuth
 * requires encoding (RFC 6749 2.3.1) and many clients omit it. Returns undefined for any other header.
 */
export function readBasic(authorization: string | undefined): readonly BasicCredentials[] | undefined {
  const encoded = BASIC.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  const sent = { name: text.slice(0, colon), secret: text.slice(colon + 1) };
  const name = decodePercent(sent.name);
  const secret = decodePercent(sent.secret);
  const isPlain =
    name === undefined || secret === undefined || (name === sent.name && secret === sent.secret);
  // No name contains NUL, which not every database accepts in a query.
  return [sent, ...(isPlain ? [] : [{ name, secret }])].filter((each) => !each.name.includes('\0'));
}
