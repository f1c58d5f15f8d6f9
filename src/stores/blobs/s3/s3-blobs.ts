import { rm } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createAtMost } from '../../../core/at-most.js';
import { folderOfBlob, requireFolderOfBlob } from '../blob-name.js';
import type { BlobStore, StoredBlob } from '../blob-store.js';
import { createDrafts, folderOrTemporary } from '../drafts.js';
import type { BucketPlace } from '../media-place.js';
import { createS3Client, type S3Timeouts } from './s3-client.js';
import { orNoObject, orUnavailable } from './s3-errors.js';
import { readObject, type ObjectAddress } from './s3-reading.js';
import { findIdOfBucket, identifyBucket } from './s3-store-id.js';
import { writeObject } from './s3-writing.js';

/** Files that are stored at once: with the parts of each, they bound the memory. */
const WRITES_AT_ONCE = 4;

/** Links of one such period are equal, so that browsers cache what they lead to. */
const PERIOD_MS = 5 * 60_000;

/** How long a link leads to its object, from the beginning of its period. */
const LIFE_SECONDS = 15 * 60;

/**
 * Creates a store that keeps blobs as private objects of a bucket, `<prefix><folder>/<file>` each. Drafts are local:
 * in `draftsFolder`, or in a temporary folder that `close` deletes.
 */
export function createS3Blobs(
  place: BucketPlace,
  draftsFolder: string | undefined,
  timeouts?: S3Timeouts,
): BlobStore {
  const client = createS3Client(place, timeouts);
  const root = folderOrTemporary(draftsFolder);
  const drafts = createDrafts(root);
  const atMost = createAtMost(WRITES_AT_ONCE);
  const addressOf = (name: string): ObjectAddress => {
    requireFolderOfBlob(name);
    return { Bucket: place.bucket, Key: place.prefix + name };
  };
  const deleteObject = async (address: ObjectAddress): Promise<void> => {
    await orNoObject(client.send(new DeleteObjectCommand(address)));
  };
  return {
    newDraft: drafts.create,
    put: async (name, draft) => {
      const address = addressOf(name);
      await atMost(() => writeObject(client, address, draft));
      await rm(draft, { force: true });
    },
    findSizeBytes: async (name) => {
      if (folderOfBlob(name) === undefined) return undefined;
      return (await orNoObject(client.send(new HeadObjectCommand(addressOf(name)))))?.ContentLength;
    },
    read: async (name, range) =>
      folderOfBlob(name) === undefined ? undefined : readObject(client, addressOf(name), range),
    link: (name, contentType) => signedLink(client, addressOf(name), contentType),
    list: () => blobsOf(client, place),
    delete: (name) => deleteObject(addressOf(name)),
    deleteFolder: async (name) => {
      const { Bucket, Key } = addressOf(`${name}/x`);
      const keys = await orUnavailable(listKeys(client, Bucket, Key.slice(0, -1)));
      await Promise.all(keys.map((key) => atMost(() => deleteObject({ Bucket, Key: key }))));
    },
    deleteDrafts: async (beforeMs) => {
      await drafts.deleteOlder(beforeMs);
      await abortOldUploads(client, place, beforeMs);
    },
    findId: () => findIdOfBucket(client, place),
    identify: () => identifyBucket(client, place),
    close: async () => {
      client.destroy();
      if (draftsFolder === undefined) await rm(root, { recursive: true, force: true });
    },
  };
}

async function listKeys(client: S3Client, Bucket: string, Prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
    for (const { Key } of Contents) if (Key !== undefined) keys.push(Key);
  }
  return keys;
}

/** Keys are in the order of their bytes, so that those of a folder are together. */
async function* blobsOf(
  client: S3Client,
  { bucket: Bucket, prefix: Prefix }: BucketPlace,
): AsyncGenerator<StoredBlob> {
  const pages = paginateListObjectsV2({ client }, { Bucket, Prefix })[Symbol.asyncIterator]();
  for (;;) {
    const page = await orUnavailable(pages.next());
    if (page.done) return;
    for (const { Key = '', Size = 0, LastModified } of page.value.Contents ?? []) {
      const name = Key.slice(Prefix.length);
      if (folderOfBlob(name) !== undefined)
        yield { name, sizeBytes: Size, storedAtMs: LastModified?.getTime() ?? Infinity };
    }
  }
}

/** Takes back the parts of files that ended processes have not completed. Some stores cannot list them. */
async function abortOldUploads(client: S3Client, place: BucketPlace, beforeMs: number): Promise<void> {
  const { bucket: Bucket, prefix: Prefix } = place;
  const found = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix })).catch(() => undefined);
  for (const { Key, UploadId, Initiated } of found?.Uploads ?? []) {
    if (Key === undefined || (Initiated?.getTime() ?? Infinity) >= beforeMs) continue;
    await orNoObject(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
  }
}

/** Returns a link that leads to an object for ten minutes or more. The object may be missing. */
function signedLink(client: S3Client, address: ObjectAddress, contentType: string): Promise<string> {
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
