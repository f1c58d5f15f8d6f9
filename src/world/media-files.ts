import { mediaIdOfKey } from '../core/post.js';
import * as v from '../core/validators.js';
import { writeBlob, type WholeBlobs } from '../stores/blobs/whole-blobs.js';
import type { WorldFaults } from './faults.js';
import { valuesOf } from './readers.js';

/** The path of media files on a server. */
export const MEDIA_PATH = '/media/';

/** More than all files of a medium have together. */
const MAX_BASE64 = 64 * 1024 ** 2;

/** Reads the name of a file. */
export const FILE_NAME = v.matching(/^[0-9]{1,19}\/[A-Za-z0-9_-]{1,100}\.[a-z0-9]{1,8}$/, {
  description: 'the id of the media, a slash and a file name',
});

const file = v.object({
  name: v.required(FILE_NAME),
  data: v.required(v.text({ max: MAX_BASE64, pattern: /^[A-Za-z0-9+/]*={0,2}$/ })),
});

export type MediaFile = v.ValueOf<typeof file>;

/** The files of a medium, in base64. */
export const mediaFiles = valuesOf(file);

interface WithFiles {
  readonly path: string;
  readonly media_key: string;
  readonly files?: v.ValueOf<typeof mediaFiles>;
}

/** Checks that the files belong to their media, and that there is a place for them. */
export function checkMediaFiles(media: readonly WithFiles[], hasPlace: boolean, faults: WorldFaults): void {
  for (const { path, files = [], media_key: key } of media) {
    if (files.length > 0 && !hasPlace) faults.add(`${path}.files`, 'cannot be stored by this command');
    for (const [index, { name }] of files.entries()) {
      if (!name.startsWith(`${mediaIdOfKey(key)}/`))
        faults.add(`${path}.files[${index}].name`, 'must begin with the digits of the media key after _');
    }
  }
}

/** Stores the files that are not there yet. */
export async function storeMediaFiles(
  media: readonly WithFiles[],
  blobs: WholeBlobs | undefined,
): Promise<void> {
  if (blobs === undefined) return;
  for (const { files = [] } of media) {
    for (const { name, data } of files) await writeBlob(blobs, name, Buffer.from(data, 'base64'));
  }
}
