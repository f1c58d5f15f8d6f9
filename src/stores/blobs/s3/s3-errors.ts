import { S3ServiceException } from '@aws-sdk/client-s3';
import { StorageUnavailable } from '../../../database/errors.js';

/** Reports whether the store says that there is no such object. A missing bucket is another fault. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === 404 &&
    error.name !== 'NoSuchBucket'
  );
}

/**
 * Awaits the response of an object store. Throws StorageUnavailable if it cannot serve: it does not respond, or it
 * refuses credentials or the bucket, which an operator has to mend. The client's own error, which holds the connection
 * and signed headers, is not passed on.
 */
export async function orUnavailable<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    throw new StorageUnavailable(`the object store cannot serve: ${describe(error)}`);
  }
}

/** Awaits a response as `orUnavailable` does; undefined for a missing object. */
export function orNoObject<T>(response: Promise<T>): Promise<T | undefined> {
  return orUnavailable(
    response.catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    }),
  );
}

/** Returns name, status and message of an error. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const status = error instanceof S3ServiceException ? ` ${error.$metadata.httpStatusCode ?? ''}` : '';
  return `${error.name}${status}: ${error.message}`;
}
