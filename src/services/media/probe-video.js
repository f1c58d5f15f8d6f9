/**
 * Parses the boxes of an MP4 or QuickTime file in a separate process, so that a hostile file can exhaust only
 * that process. Plain JavaScript, so that it runs both from the sources and from the build.
 *
 * Takes the file's path as its argument, sends one `VideoReport` (video.ts) and exits. Sends nothing when the
 * file cannot be parsed.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import process from 'node:process';
import { MP4BoxBuffer, createFile } from 'mp4box';

const CHUNK_BYTES = 256 * 1024;

/** Far more than the metadata of 140 seconds needs; the samples are not read. */
const MAX_READ_BYTES = 24 * 1024 * 1024;

/** Boxes with metadata such as location and device, and application data. */
const PRIVATE = new Set(['udta', 'meta', 'uuid', 'Xtra']);

/** Boxes whose children are searched. */
const CONTAINERS = new Set(['moov', 'trak', 'moof', 'traf', 'mvex']);

/** @typedef {{ type: string, start: number, size: number, hdr_size: number, boxes?: Box[] }} Box */

/**
 * @param {string} path
 * @returns {import('./video.js').VideoReport | undefined}
 */
function probe(path) {
  const file = openSync(path, 'r');
  try {
    const mp4 = createFile();
    readBoxes(mp4, file);
    const movie = mp4.getInfo();
    const [track] = movie.videoTracks;
    if (!track) return undefined;
    return {
      durationMs: durationMsOf(movie, track),
      width: Math.round(track.video?.width ?? track.track_width),
      height: Math.round(track.video?.height ?? track.track_height),
      isQuickTime: movie.brands.includes('qt  ') && !movie.brands.some((brand) => /^(?:mp4|iso)/.test(brand)),
      privateBoxes: privateBoxes(/** @type {Box[]} */ (/** @type {unknown} */ (mp4.boxes))),
    };
  } finally {
    closeSync(file);
  }
}

/**
 * @param {import('mp4box').ISOFile} mp4
 * @param {number} file
 */
function readBoxes(mp4, file) {
  const { size } = fstatSync(file);
  let at = 0;
  for (let readBytes = 0; at < size && readBytes < MAX_READ_BYTES; readBytes += CHUNK_BYTES) {
    const chunk = new ArrayBuffer(Math.min(CHUNK_BYTES, size - at));
    readSync(file, new Uint8Array(chunk), 0, chunk.byteLength, at);
    const next = mp4.appendBuffer(MP4BoxBuffer.fromArrayBuffer(chunk, at));
    // The parser may ask for an incomplete box from its start; only new bytes are read.
    at = typeof next === 'number' && next > at ? next : at + chunk.byteLength;
  }
}

/**
 * Returns the longest duration declared by the movie, the track or the track's samples. Files written during
 * recording lack some of these, and others may be wrong.
 *
 * @param {import('mp4box').Movie} movie
 * @param {import('mp4box').Track} track
 */
function durationMsOf({ duration, timescale, fragment_duration: fragments }, track) {
  const seconds = [
    duration / timescale,
    fragments ? fragments.num / fragments.den : 0,
    track.duration / track.timescale,
    track.samples_duration / track.timescale,
  ];
  return Math.round(Math.max(...seconds.filter(Number.isFinite)) * 1000);
}

/**
 * @param {readonly Box[]} boxes
 * @returns {{ start: number, size: number, headerSize: number }[]}
 */
function privateBoxes(boxes) {
  return boxes.flatMap((box) => {
    if (PRIVATE.has(box.type)) return [{ start: box.start, size: box.size, headerSize: box.hdr_size }];
    return CONTAINERS.has(box.type) ? privateBoxes(box.boxes ?? []) : [];
  });
}

const report = probe(process.argv[2] ?? '');
// Node ends a process whose channel is closed.
if (report) process.send?.(report, () => process.disconnect());
else process.disconnect();
