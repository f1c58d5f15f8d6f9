import { MAX_SUBTITLE_LANGUAGE, MAX_SUBTITLE_NAME, SUBTITLE_LANGUAGE } from '../core/media.js';
import { MAX_SUBTITLE_BYTES } from '../core/limits.js';
import * as v from '../core/validators.js';
import { decodeSubtitles, isSubtitles } from '../services/media/subtitles.js';
import type { WorldFaults } from './faults.js';
import { FILE_NAME, type MediaFile } from './media-files.js';
import { requireUnique } from './pass.js';
import { objectOf, valuesOf } from './readers.js';

const subtitles = objectOf({
  language_code: v.required(v.text({ pattern: SUBTITLE_LANGUAGE, max: MAX_SUBTITLE_LANGUAGE })),
  display_name: v.text({ min: 1, max: MAX_SUBTITLE_NAME }),
  file: v.required(FILE_NAME),
});

/** The subtitles of a video; each is one of its files. */
export const mediaSubtitles = valuesOf(subtitles);

interface WithSubtitles {
  readonly path: string;
  readonly type: string;
  readonly files?: readonly MediaFile[];
  readonly subtitles?: v.ValueOf<typeof mediaSubtitles>;
}

/** Checks that videos alone have subtitles, one for each language, in files that are subtitles. */
export function checkSubtitles(media: readonly WithSubtitles[], faults: WorldFaults): void {
  for (const { path, type, files = [], subtitles: entries = [] } of media) {
    if (entries.length > 0 && type !== 'video') faults.add(`${path}.subtitles`, 'only a video has subtitles');
    requireUnique(entries, 'language_code', (entry) => entry.language_code, faults);
    requireUnique(entries, 'file', (entry) => entry.file, faults);
    const data = new Map(files.map((file) => [file.name, file.data]));
    for (const entry of entries) {
      const fault = faultOfFile(data.get(entry.file));
      if (fault !== undefined) faults.add(`${entry.path}.file`, fault);
    }
  }
}

function faultOfFile(data: string | undefined): string | undefined {
  if (data === undefined) return 'is none of the files of this video';
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > MAX_SUBTITLE_BYTES) return `has more than ${MAX_SUBTITLE_BYTES} bytes`;
  return isSubtitles(decodeSubtitles(bytes) ?? '') ? undefined : 'is neither SubRip nor WebVTT';
}
