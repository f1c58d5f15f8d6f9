import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { GetObjectCommand, type GetObjectCommandOutput, type S3Client } from '@aws-sdk/client-s3';
import { StorageUnavailable } from '../../../database/errors.js';
import type { ByteRange } from '../blob-store.js';
import { describe, orNoObject } from './s3-errors.js';

/** The member of an object's metadata with the SHA-256 of its bytes, in hexadecimal. */
export const HASH = 'sha256';

/** A body that breaks off is continued this often without a byte in between. */
const CONTINUATIONS = 3;

/** Thrown when the bytes of an object are not those that were stored. */
class ObjectDamaged extends StorageUnavailable {}

/** An object of a bucket. */
export interface ObjectAddress {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Opens an object or a range of it; undefined if there is none. A connection that breaks is replaced by another one,
 * which continues where it ended. The hash of a whole object is checked before its last byte is passed on.
 */
export async function readObject(
  client: S3Client,
  address: ObjectAddress,
  range?: ByteRange,
): Promise<Readable | undefined> {
  const first = await open(client, address, range);
  if (first === undefined) return undefined;
  const bytes = continued(client, address, range, first);
  const hash = range === undefined ? first.Metadata?.[HASH] : undefined;
  return Readable.from(hash === undefined ? bytes : checked(bytes, hash, address.Key), { objectMode: false });
}

function open(
  client: S3Client,
  address: ObjectAddress,
  range: ByteRange | undefined,
  etag?: string,
): Promise<GetObjectCommandOutput | undefined> {
  const Range = range && `bytes=${range.first}-${range.last}`;
  return orNoObject(client.send(new GetObjectCommand({ ...address, Range, IfMatch: etag })));
}

async function* continued(
  client: S3Client,
  address: ObjectAddress,
  range: ByteRange | undefined,
  first: GetObjectCommandOutput,
): AsyncGenerator<Uint8Array> {
  const start = range?.first ?? 0;
  const end = start + (first.ContentLength ?? 0);
  let at = start;
  let response: GetObjectCommandOutput | undefined = first;
  for (let failures = 0; response !== undefined; failures += 1) {
    let reason = 'it ended early';
    try {
      for await (const chunk of response.Body as Readable) {
        const bytes = chunk as Uint8Array;
        at += bytes.length;
        failures = 0;
        yield bytes;
      }
    } catch (error) {
      reason = describe(error);
    }
    if (at >= end) return;
    if (failures >= CONTINUATIONS) throw new StorageUnavailable(`an object broke off: ${reason}`);
    response = await open(client, address, { first: at, last: end - 1 }, first.ETag);
  }
  throw new StorageUnavailable('an object was deleted while it was read');
}

/** Holds back one chunk, so that nobody receives the whole of a damaged object. */
async function* checked(
  chunks: AsyncIterable<Uint8Array>,
  expected: string,
  key: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let held: Uint8Array | undefined;
  for await (const chunk of chunks) {
    hash.update(chunk);
    if (held) yield held;
    held = chunk;
  }
  if (hash.digest('hex') !== expected) throw new ObjectDamaged(`the object ${key} is damaged`);
  if (held) yield held;
}
