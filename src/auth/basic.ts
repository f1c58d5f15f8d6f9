import { decodePercent } from './oauth1/percent.js';

/** A name and secret from a Basic header. */
export interface BasicCredentials {
  readonly name: string;
  readonly secret: string;
}

const BASIC = /^Basic +([A-Za-z0-9+/_-]+=*)$/i;

/**
 * What a Basic header may mean: both parts as they stand (RFC 7617), and with percent escapes undone, as OAuth wants them
 * encoded (RFC 6749 2.3.1) and many clients do not. Undefined when it is no such header.
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
  // No name has a NUL, and not every database can be asked for one.
  return [sent, ...(isPlain ? [] : [{ name, secret }])].filter((each) => !each.name.includes('\0'));
}
