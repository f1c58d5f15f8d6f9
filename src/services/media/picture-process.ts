import { spawn, type ChildProcess } from 'node:child_process';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { PhotoFormat, Size } from './picture-sizes.js';

/** What a decoder is to do. */
export type PictureOrder =
  | {
      readonly kind: 'photo';
      readonly file: string;
      readonly format: PhotoFormat;
      readonly output: string;
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

/** The size of what was written, or why nothing was; that is safe to show. */
export type PictureAnswer = Size | { readonly refused: string };

/** The process ended of itself; it may have been ended by others. */
export class PictureProcessDied extends Error {
  override readonly name = 'PictureProcessDied';
}

/** A decoder in a process of its own. */
export interface PictureProcess {
  readonly isAlive: boolean;
  /**
   * Resolves to undefined when the answer took too long: the process is then gone. Throws PictureProcessDied. One order
   * at a time.
   */
  ask(order: PictureOrder): Promise<PictureAnswer | undefined>;
  end(): void;
}

/** Beside the decoder's own limit of 20 s; a busy machine is slow to start a process. */
const TIMEOUT_MS = 30_000;
const HEAP_MB = 64;

/**
 * For all data of the process, as `ulimit -d` takes it: the largest picture needs less. Where it has no effect, the sizes
 * told in headers bound memory.
 */
const DATA_KB = 800_000;
const LIMITED = `ulimit -d ${DATA_KB} 2>/dev/null; exec "$0" "$@"`;

/** Starts a decoder with limited memory. */
export function startPictureProcess(): PictureProcess {
  const script = fileURLToPath(new URL('./decode-pictures.js', import.meta.url));
  const args = [`--max-old-space-size=${HEAP_MB}`, script];
  const child = spawn('/bin/sh', ['-c', LIMITED, execPath, ...args], {
    // Fewer arenas of the allocator: threads that come and go leave less behind.
    env: { MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let isAlive = true;
  const died = () => {
    isAlive = false;
  };
  child.on('error', died);
  child.on('exit', died);
  keepsAlive(child, false);
  return {
    get isAlive() {
      return isAlive;
    },
    ask: (order) => ask(child, order),
    end: () => child.kill('SIGKILL'),
  };
}

/** An idle decoder keeps nobody from ending. */
function keepsAlive(child: ChildProcess, isBusy: boolean): void {
  if (isBusy) child.ref();
  else child.unref();
  if (isBusy) child.channel?.ref();
  else child.channel?.unref();
}

function ask(child: ChildProcess, order: PictureOrder): Promise<PictureAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      child.off('message', answered).off('exit', died).off('error', failed);
      keepsAlive(child, false);
      end();
    };
    const answered = (message: unknown): void => settle(() => resolve(message as PictureAnswer));
    const died = (): void => settle(() => reject(new PictureProcessDied('the decoder of pictures ended')));
    const failed = (error: Error): void => settle(() => reject(error));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      settle(() => resolve(undefined));
    }, TIMEOUT_MS);
    child.on('message', answered).on('exit', died).on('error', failed);
    keepsAlive(child, true);
    // What cannot be sent goes to one that has ended: that is told by 'exit'.
    child.send(order, () => undefined);
  });
}
