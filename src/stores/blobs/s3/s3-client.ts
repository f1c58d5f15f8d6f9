import { S3Client } from '@aws-sdk/client-s3';
import type { BucketPlace } from '../media-place.js';

/** Other stores than Amazon's mostly accept any region. */
const OTHER_REGION = 'us-east-1';

/** Each request is sent at most this often, with pauses that grow. */
const ATTEMPTS = 3;

/** How long the parts of an attempt may take; a test shortens them. */
export interface S3Timeouts {
  readonly connectMs: number;
  /** Until the response begins; the body of the request is sent in this time. */
  readonly responseMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
}

const TIMEOUTS: S3Timeouts = { connectMs: 2_000, responseMs: 60_000, idleMs: 10_000 };

/**
 * Creates a client of a bucket's store. The credentials come from the usual variables and files of AWS. The hash of
 * each body is part of its signature, so the store refuses a body that was changed on its way; checksums in trailers,
 * which many stores do not know, are not sent.
 */
export function createS3Client(
  { endpoint, region, isInPath }: BucketPlace,
  timeouts: S3Timeouts = TIMEOUTS,
): S3Client {
  return new S3Client({
    endpoint,
    // Without a region the client looks for the one of Amazon.
    region: region ?? (endpoint === undefined ? undefined : OTHER_REGION),
    forcePathStyle: isInPath,
    maxAttempts: ATTEMPTS,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: timeouts.connectMs,
      requestTimeout: timeouts.responseMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeouts.idleMs,
    },
  });
}
