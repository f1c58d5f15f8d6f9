import { GetObjectCommand, PutObjectCommand, S3ServiceException, type S3Client } from '@aws-sdk/client-s3';
import type { BucketPlace } from '../media-place.js';
import { newStoreId, parseStoreId, STORE_ID, StoreIdRefused } from '../store-id.js';
import { orNoObject, orUnavailable } from './s3-errors.js';

/** What a store answers to a condition that does not hold: the object exists, or another request writes it now. */
const HELD = [409, 412];

/** What a store answers that knows no conditions. */
const NOT_IMPLEMENTED = 501;

/** Returns the id of a bucket's store; undefined before `identifyBucket`. Throws StoreIdRefused for another object. */
export async function findIdOfBucket(client: S3Client, place: BucketPlace): Promise<string | undefined> {
  const response = await orNoObject(client.send(new GetObjectCommand(addressOf(place))));
  const text = response && (await orUnavailable(response.Body?.transformToString() ?? Promise.resolve('')));
  if (text === undefined) return undefined;
  const id = parseStoreId(text);
  if (id === undefined)
    throw new StoreIdRefused(`the object ${addressOf(place).Key} holds no id of a store: delete it`);
  return id;
}

/** Returns the id of a bucket's store, which gets one at first. */
export async function identifyBucket(client: S3Client, place: BucketPlace): Promise<string> {
  const found = await findIdOfBucket(client, place);
  if (found !== undefined) return found;
  await orUnavailable(putNewId(client, place));
  return (await findIdOfBucket(client, place)) ?? identifyBucket(client, place);
}

/** Of two servers that do so at once, one succeeds. Stores that know no conditions keep the last id. */
async function putNewId(client: S3Client, place: BucketPlace): Promise<void> {
  const object = { ...addressOf(place), Body: `${newStoreId()}\n` };
  try {
    await client.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' }));
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status === NOT_IMPLEMENTED) await client.send(new PutObjectCommand(object));
    else if (status === undefined || !HELD.includes(status)) throw error;
  }
}

function addressOf({ bucket, prefix }: BucketPlace) {
  return { Bucket: bucket, Key: prefix + STORE_ID };
}
