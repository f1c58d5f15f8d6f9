import { spawn, type ChildProcess } from 'node:child_process';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { PhotoFormat, Rectangle, Size, WrittenPicture } from './picture-sizes.js';
import { NamedError } from '../../core/named-error.js';

/** A task for a decoder. */
export type PictureTask =
  | {
      readonly kind: 'photo';
      readonly file: string;
      readonly format: PhotoFormat;
      readonly output: string;
      readonly maxPixels: number;
    }
  | {
      /** Writes a part of a picture in several sizes, each cut to its shape around the middle. */
      readonly kind: 'sizes';
      readonly file: string;
      readonly format: PhotoFormat;
      /** In the pixels of the upright picture; the whole by default. */
      readonly part?: Rectangle;
      readonly main: SizedOutput & { readonly enlarges: boolean };
      readonly others: readonly SizedOutput[];
      /** Whether a picture that is transparent somewhere stays so. */
      readonly keepsTransparency: boolean;
      readonly maxPixels: number;
    }
  | {
      readonly kind: 'first-frame';
      readonly file: string;
      readonly output: string;
      readonly maxPixels: number;
    }
  | {
      readonly kind: 'placeholder';
      readonly width: number;
      readonly height: number;
      readonly output: string;
    };

/** A file of this size to write. */
export interface SizedOutput extends Size {
  readonly output: string;
}

/** The size of the written picture, or the reason for a refusal, which is safe to show to clients. */
export type PictureAnswer = WrittenPicture | { readonly refused: string };

/** Thrown when the process ended by itself or was killed by the system. */
export class PictureProcessDied extends NamedError {}

/** A decoder in its own process. */
export interface PictureProcess {
  readonly isAlive: boolean;
  /**
   * Executes one order at a time. Resolves to undefined after a timeout, which also kills the process. Throws
   * PictureProcessDied.
   */
  ask(order: PictureTask): Promise<PictureAnswer | undefined>;
  end(): void;
}

/** Longer than the decoder's own limit of 20 s, because a busy machine starts processes slowly. */
const TIMEOUT_MS = 30_000;
const HEAP_MB = 64;

/**
 * The data limit of the process, as for `ulimit -d`; the largest picture needs less. Where it has no effect, the size
 * limits checked in headers bound memory.
 */
const DATA_KB = 800_000;
const LIMITED = `ulimit -d ${DATA_KB} 2>/dev/null; exec "$0" "$@"`;

/** Starts a decoder with limited memory. */
export function startPictureProcess(): PictureProcess {
  const script = fileURLToPath(new URL('./decode-pictures.js', import.meta.url));
  const args = [`--max-old-space-size=${HEAP_MB}`, script];
  const child = spawn('/bin/sh', ['-c', LIMITED, execPath, ...args], {
    // Fewer allocator arenas reduce the memory that short-lived threads leave behind.
    env: { MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let isAlive = true;
  const died = () => {
    isAlive = false;
  };
  child.on('error', died);
  child.on('exit', died);
  setKeepAlive(child, false);
  return {
    get isAlive() {
      return isAlive;
    },
    ask: (order) => ask(child, order),
    end: () => child.kill('SIGKILL'),
  };
}

/** Keeps this process alive only while the decoder is busy. */
function setKeepAlive(child: ChildProcess, isBusy: boolean): void {
  if (isBusy) child.ref();
  else child.unref();
  if (isBusy) child.channel?.ref();
  else child.channel?.unref();
}

function ask(child: ChildProcess, order: PictureTask): Promise<PictureAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      child.off('message', answered).off('exit', died).off('error', failed);
      setKeepAlive(child, false);
      end();
    };
    const answered = (message: unknown): void => settle(() => resolve(message as PictureAnswer));
    const died = (): void => settle(() => reject(new PictureProcessDied('the picture decoder ended')));
    const failed = (error: Error): void => settle(() => reject(error));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      settle(() => resolve(undefined));
    }, TIMEOUT_MS);
    child.on('message', answered).on('exit', died).on('error', failed);
    setKeepAlive(child, true);
    // A failed send means that the process has ended, which 'exit' reports.
    child.send(order, () => undefined);
  });
}
