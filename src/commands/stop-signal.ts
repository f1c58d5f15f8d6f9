import type { CommandIo } from './command.js';

/**
 * Returns a signal that aborts at the first stop request, so that unfinished copies, which contain secrets, are
 * deleted. A second request exits immediately.
 */
export async function stopSignal(io: CommandIo): Promise<AbortSignal> {
  const { BackupRefused } = await import('../server/backups/backup-refused.js');
  const stop = new AbortController();
  void io.stopRequested().then(() => {
    io.note('stopping: unfinished files are removed after the current step');
    stop.abort(new BackupRefused('stopped: nothing was changed'));
  });
  return stop.signal;
}
