import type { Clock } from '../../core/clock.js';
import { systemTimers } from '../../core/timers.js';
import type { Engine } from '../../database/engine.js';
import { holdMedia, newMediaHold, releaseMedia } from '../../stores/media-holds.js';
import { BackupRefused } from './backup-refused.js';

/** How long the files of a killed backup's hold stay. */
const HOLD_MS = 10 * 60_000;
const RENEW_MS = 60_000;

/** Keeps all servers from deleting files of media while a backup copies them. */
export interface FileHold {
  /** Throws BackupRefused if files may have been deleted meanwhile, as while the database could not be reached. */
  requireHeld(): void;
  end(): Promise<void>;
}

/** Begins a hold; `onRenewal` is called each minute. */
export async function holdFiles(engine: Engine, clock: Clock, onRenewal: () => void): Promise<FileHold> {
  const hold = newMediaHold();
  let untilMs = 0;
  let isLost = false;
  const renew = async (): Promise<void> => {
    const nextMs = clock() + HOLD_MS;
    await engine.tx('hold media', (tx) => holdMedia(tx, hold, nextMs));
    untilMs = nextMs;
  };
  await renew();
  const stop = systemTimers.every(RENEW_MS, () => {
    onRenewal();
    isLost ||= clock() > untilMs;
    // The next minute tries again.
    renew().catch(() => undefined);
  });
  return {
    requireHeld: () => {
      if (isLost || clock() > untilMs)
        throw new BackupRefused('the database could not be reached for too long: files may be missing');
    },
    end: async () => {
      stop();
      // Otherwise it ends by itself.
      await engine.tx('release media', (tx) => releaseMedia(tx, hold)).catch(() => undefined);
    },
  };
}
