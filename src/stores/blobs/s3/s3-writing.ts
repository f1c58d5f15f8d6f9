import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { AbortMultipartUploadCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { orUnavailable } from './s3-errors.js';
import { HASH, type ObjectAddress } from './s3-reading.js';

/** Larger files are sent in parts of this size. A part is in memory, so that it can be sent again. */
const PART_BYTES = 8 * 1024 ** 2;

/** The parts of one file that are sent at once. */
const PARTS_AT_ONCE = 2;

/**
 * Stores a file as an object with its SHA-256. Throws StorageUnavailable. A file in parts that fails is taken back;
 * if that fails too, `deleteDrafts` of the store does so later.
 */
export async function writeObject(client: S3Client, address: ObjectAddress, file: string): Promise<void> {
  const { size } = await stat(file);
  const params = { ...address, Metadata: { [HASH]: await hashOf(file) } };
  if (size <= PART_BYTES) {
    const Body = await readFile(file);
    await orUnavailable(client.send(new PutObjectCommand({ ...params, Body })));
    return;
  }
  const upload = new Upload({
    client,
    params: { ...params, Body: createReadStream(file, { highWaterMark: 1024 ** 2 }) },
    partSize: PART_BYTES,
    queueSize: PARTS_AT_ONCE,
    // Taken back below: an error of that would hide the reason.
    leavePartsOnError: true,
  });
  try {
    await orUnavailable(upload.done());
  } catch (error) {
    if (upload.uploadId !== undefined) await takeBack(client, address, upload.uploadId);
    throw error;
  }
}

async function takeBack(client: S3Client, address: ObjectAddress, UploadId: string): Promise<void> {
  await client.send(new AbortMultipartUploadCommand({ ...address, UploadId })).catch(() => undefined);
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
