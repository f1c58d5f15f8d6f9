import { LeaseLost, WorkerStopping, type JobRun } from './handler.js';

/**
 * Does a job's work; when the last of its attempts fails, `giveUp` ends for whoever waits what will not come. Throws what
 * `work` throws.
 */
export async function withLastAttempt(
  run: Pick<JobRun<unknown>, 'attempt'>,
  maxAttempts: number,
  work: () => Promise<void>,
  giveUp: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isFailure = !(error instanceof LeaseLost) && !(error instanceof WorkerStopping);
    if (isFailure && run.attempt >= maxAttempts) await giveUp();
    throw error;
  }
}
