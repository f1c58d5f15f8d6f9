/**
 * Reads the boxes of an MP4 or QuickTime file, in a process of its own: what a hostile file makes of the parser's time
 * and memory ends with that process. Plain JavaScript, so that it can be forked from the sources and from the build
 * alike.
 *
 * Takes the file's path as its argument; sends one message, a `VideoReport` (video.ts), and ends. Sends nothing when the
 * file cannot be parsed.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import process from 'node:process';
import { MP4BoxBuffer, createFile } from 'mp4box';

const CHUNK_BYTES = 256 * 1024;

/** Far more than what describes 140 seconds; the samples themselves are not read. */
const MAX_READ_BYTES = 24 * 1024 * 1024;

/** Boxes that hold where and with what a video was made, and whatever else applications put there. */
const PRIVATE = new Set(['udta', 'meta', 'uuid', 'Xtra']);

/** Boxes whose members are looked through. */
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
    // What has not been parsed to its end is asked for again from its beginning: only what is new is read.
    at = typeof next === 'number' && next > at ? next : at + chunk.byteLength;
  }
}

/**
 * The longest of what the movie says, its track, and the samples of the track: files that are written while they are
 * recorded say nothing in the first place, others may lie there.
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
