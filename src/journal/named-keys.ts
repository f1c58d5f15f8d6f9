import type { IncomingHttpHeaders } from 'node:http';
import { readBasic } from '../auth/basic.js';
import { decodePercent } from '../auth/oauth1/percent.js';
import type { RecordedRequest } from './entry.js';

const IN_HEADER = /[\s,]oauth_consumer_key="([^"]{1,200})"/;
const IN_PAIRS = /(?:^|[&"])(?:oauth_consumer_key|client_id)"?[=:]"?([^&"]{1,200})/g;

/** Returns the API keys and client IDs that a request names, which are public. Nothing about them is checked. */
export function namedKeys(
  { authorization }: IncomingHttpHeaders,
  { query, body }: Pick<RecordedRequest, 'query' | 'body'>,
): readonly string[] {
  const ofBasic = readBasic(authorization)?.map(({ name }) => name) ?? [];
  const ofSignature = IN_HEADER.exec(authorization ?? '')?.slice(1) ?? [];
  const ofTexts = [query, body.text ?? ''].flatMap((text) =>
    Array.from(text.matchAll(IN_PAIRS), ([, key = '']) => key),
  );
  return [...ofBasic, ...[...ofSignature, ...ofTexts].map((key) => decodePercent(key) ?? key)];
}
