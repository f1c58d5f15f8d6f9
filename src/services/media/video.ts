import { fork } from 'node:child_process';
import { open, stat } from 'node:fs/promises';
import { createAtMost } from '../../core/at-most.js';
import { MediaRefused } from './media-refused.js';

/** The metadata of a video file. */
export interface VideoReport {
  readonly durationMs: number;
  readonly width: number;
  readonly height: number;
  /** True for Apple's QuickTime container, false for MP4. */
  readonly isQuickTime: boolean;
  /** The byte ranges of boxes with private metadata. */
  readonly privateBoxes: readonly {
    readonly start: number;
    readonly size: number;
    readonly headerSize: number;
  }[];
}

/** The documented limits (docs/api/media.md#uploads). */
const MIN_DURATION_MS = 500;
const MAX_DURATION_MS = 140_000;
const MAX_SIDE = 8_192;

const TIMEOUT_MS = 10_000;
const HEAP_MB = 96;
const AT_ONCE = 2;

const ZEROES = Buffer.alloc(64 * 1024);

/** Parses videos in separate processes with limited memory and time, a few at a time. */
export type Videos = ReturnType<typeof createVideos>;

export function createVideos() {
  const atMost = createAtMost(AT_ONCE);
  return {
    /** Returns the metadata of a video. Throws MediaRefused for other formats and beyond the documented limits. */
    probe: async (file: string) => {
      const report = await atMost(() => runProbe(file));
      if (!report) throw new MediaRefused('The file is not a valid MP4 or QuickTime video.');
      requireAllowed(report);
      return report;
    },
  };
}

/** Resolves to undefined when the process fails or times out. */
function runProbe(file: string): Promise<VideoReport | undefined> {
  return new Promise((resolve) => {
    let report: VideoReport | undefined;
    const child = fork(new URL('./probe-video.js', import.meta.url), [file], {
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    child.on('message', (message) => {
      report = message as unknown as VideoReport;
    });
    child.on('error', () => resolve(undefined));
    child.on('close', () => resolve(report));
  });
}

function requireAllowed({ durationMs, width, height }: VideoReport): void {
  if (!(durationMs >= MIN_DURATION_MS && durationMs <= MAX_DURATION_MS)) {
    throw new MediaRefused('A video must last between 0.5 and 140 seconds.');
  }
  const isSide = (length: number): boolean => Number.isInteger(length) && length > 0 && length <= MAX_SIDE;
  if (!isSide(width) || !isSide(height)) {
    throw new MediaRefused(`A video must have between 1 and ${MAX_SIDE} pixels on each side.`);
  }
}

/**
 * Overwrites private boxes in place with free space of the same size (ISO/IEC 14496-12, section 8.1.2). Samples keep
 * their offsets, so nothing else changes.
 */
export async function blankPrivateBoxes(
  file: string,
  { privateBoxes }: Pick<VideoReport, 'privateBoxes'>,
): Promise<void> {
  if (privateBoxes.length === 0) return;
  const { size: fileSize } = await stat(file);
  const handle = await open(file, 'r+');
  try {
    for (const { start, size, headerSize } of privateBoxes) {
      const end = Math.min(start + size, fileSize);
      if (start + headerSize > end) continue;
      await handle.write('free', start + 4, 'latin1');
      for (let at = start + headerSize; at < end; at += ZEROES.length) {
        await handle.write(ZEROES, 0, Math.min(ZEROES.length, end - at), at);
      }
    }
  } finally {
    await handle.close();
  }
}
