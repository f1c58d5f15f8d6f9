import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

const BUCKET = 'pipit-test';

/** The credentials of the server for tests, in the variables that every client of S3 reads. */
const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** A server that speaks the S3 protocol, with an empty bucket. */
export interface ObjectStore extends AsyncDisposable {
  readonly port: number;
  /** Returns the place of the bucket, as `--media` takes it; through another port, if given. */
  place(port?: number): string;
}

/** Starts the server in this process, and sets the variables with its credentials. */
export async function startObjectStore(): Promise<ObjectStore> {
  // Other tests of this process may have set them.
  Object.assign(process.env, S3_CREDENTIALS);
  const directory = await mkdtemp(join(tmpdir(), 'pipit-objects-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    // It signs the path of a bucket with a slash at its end as if that were missing.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  return {
    port,
    place: (through = port) => `s3://${BUCKET}/media?endpoint=http://127.0.0.1:${through}&region=us-east-1`,
    [Symbol.asyncDispose]: async () => {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}
