import { readFile } from 'node:fs/promises';
import { invalidRequest } from '../../core/errors.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';
import { withDrafts } from './draft.js';
import { MediaRefused } from './media-refused.js';
import type { Size } from './picture-sizes.js';
import { prepareMedia, type PrepareDeps } from './prepare-media.js';

/** A picture without metadata that this server has encoded itself. */
export interface CheckedPicture {
  readonly bytes: Buffer;
  readonly type: string;
  readonly size: Size;
}

/**
 * Checks and re-encodes a picture that is no medium of a post, as those are. Throws `invalid-request` for a file that is
 * broken, too large or no picture.
 */
export async function checkPicture(
  deps: PrepareDeps & { readonly blobs: Pick<BlobStore, 'newDraft'> },
  file: { readonly file: string; readonly sizeBytes: number },
  parameter: string,
): Promise<CheckedPicture> {
  try {
    return await withDrafts(deps.blobs, async (newFile) => {
      const upload = { ...file, [Symbol.asyncDispose]: () => Promise.resolve() };
      const { contentType, size, main } = await prepareMedia(deps, upload, 'tweet_image', newFile);
      return { bytes: await readFile(main.file), type: contentType, size };
    });
  } catch (error) {
    if (error instanceof MediaRefused) throw invalidRequest(parameter, [], error.message);
    throw error;
  }
}
