import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { orUnavailable } from './s3-errors.js';
import type { ObjectAddress } from './s3-reading.js';

/** Links of one such period are equal, so that browsers cache what they lead to. */
const PERIOD_MS = 5 * 60_000;

/** How long a link leads to its object, from the beginning of its period. */
const LIFE_SECONDS = 15 * 60;

/** Returns a link that leads to an object for ten minutes or more. The object may be missing. */
export function signedLink(client: S3Client, address: ObjectAddress, contentType: string): Promise<string> {
  const file = address.Key.slice(address.Key.lastIndexOf('/') + 1);
  const command = new GetObjectCommand({
    ...address,
    ResponseContentType: contentType,
    ResponseContentDisposition: `inline; filename="${file}"`,
    ResponseCacheControl: `private, max-age=${PERIOD_MS / 1_000}`,
  });
  const signingDate = new Date(Math.floor(Date.now() / PERIOD_MS) * PERIOD_MS);
  return orUnavailable(getSignedUrl(client, command, { expiresIn: LIFE_SECONDS, signingDate }));
}
