import type { Command } from 'commander';
import type { Backend } from '../server/backend.js';
import type { JobId } from '../core/ids.js';
import { inOneLine } from '../core/plain-line.js';
import type { StoredJob } from '../stores/jobs.js';
import {
  CommandRefused,
  confirm,
  isoTime,
  withCommonOptions,
  withYes,
  type CommandIo,
  type ConfirmOptions,
  type Result,
} from './command.js';
import { readAll } from '../world/export/read-all.js';
import { readId } from './lookups.js';
import { databaseAction } from './on-database.js';

/** Adds `pipit jobs`, `pipit jobs retry ID`, `pipit jobs delete ID`. */
export function addJobCommands(program: Command, io: CommandIo): void {
  const jobs = program.command('jobs').description('background jobs');
  withCommonOptions(jobs.command('list', { isDefault: true }))
    .description('list waiting, running and dead jobs, oldest first; completed jobs are deleted')
    .action(databaseAction(io, listJobs));
  withCommonOptions(jobs.command('retry <id>'))
    .description('run a waiting or dead job now and reset its attempts')
    .action(databaseAction(io, (backend, _options, id) => retry(backend, jobIdOf(id))));
  withYes(withCommonOptions(jobs.command('delete <id>')))
    .description('delete a job; its work is not done')
    .action(
      databaseAction(io, async (backend, options: ConfirmOptions, text: string) => {
        const id = jobIdOf(text);
        const { kind } = await requireJob(backend, id);
        await confirm(io, options, `delete job ${id} (${kind}), so that its work is never done`);
        return remove(backend, id);
      }),
    );
}

async function listJobs({ engine }: Backend): Promise<Result> {
  const { pageJobs } = await import('../stores/jobs.js');
  const jobs = await readAll<StoredJob>((last, limit) => pageJobs(engine, last?.id ?? (0n as JobId), limit));
  return { json: jobs.map(asJson), text: jobs.map(asLine).join('\n') };
}

async function retry(backend: Backend, id: JobId): Promise<Result> {
  const { engine, clock } = backend;
  const { findJob, retryJob } = await import('../stores/jobs.js');
  const { recordAction } = await import('../services/audit/record-action.js');
  const job = await findJob(engine, id);
  const isRetried = await engine.tx('retry job', async (tx) => {
    const isDone = await retryJob(tx, clock(), id);
    const target = { kind: 'job', id, name: job?.kind ?? '' } as const;
    if (isDone) await recordAction(tx, backend, undefined, { action: 'job.retry', target });
    return isDone;
  });
  if (!isRetried) throw new CommandRefused(job ? `job ${id} is running` : `there is no job ${id}`);
  const retried = await findJob(engine, id);
  return { json: retried ? asJson(retried) : { id: String(id) }, text: `job ${id} will run now` };
}

async function requireJob({ engine }: Backend, id: JobId): Promise<StoredJob> {
  const { findJob } = await import('../stores/jobs.js');
  const job = await findJob(engine, id);
  if (!job) throw new CommandRefused(`there is no job ${id}`);
  return job;
}

async function remove(backend: Backend, id: JobId): Promise<Result> {
  const { engine, clock } = backend;
  const { recordAction } = await import('../services/audit/record-action.js');
  const { deleteJob } = await import('../stores/jobs.js');
  const { createDeadLetterHandler } = await import('../services/jobs/dead-letters.js');
  const onDeadLetter = createDeadLetterHandler({ clock });
  const isDeleted = await engine.tx('delete job', async (tx) => {
    const job = await deleteJob(tx, id);
    if (job) {
      await onDeadLetter(tx, job);
      const target = { kind: 'job', id, name: job.kind } as const;
      await recordAction(tx, backend, undefined, { action: 'job.delete', target });
    }
    return job !== undefined;
  });
  if (!isDeleted) throw new CommandRefused(`there is no job ${id}`);
  return { json: { id: String(id), deleted: true }, text: `deleted job ${id}` };
}

function jobIdOf(text: string): JobId {
  return readId(text, 'a job id: pipit jobs lists them');
}

function asJson(job: StoredJob) {
  return {
    id: String(job.id),
    kind: job.kind,
    state: job.state,
    attempts: job.attempts,
    max_attempts: job.maxAttempts,
    created_at: isoTime(job.createdAtMs),
    next_run_at: job.state === 'waiting' ? isoTime(job.freeAtMs) : undefined,
    lease_ends_at: job.state === 'running' ? isoTime(job.freeAtMs) : undefined,
    last_error: job.lastError,
  };
}

function asLine(job: StoredJob): string {
  const when = { waiting: 'next run', running: 'lease until', dead: '' }[job.state];
  return [
    String(job.id),
    job.kind,
    job.state,
    `attempts ${job.attempts}/${job.maxAttempts}`,
    ...(job.freeAtMs === undefined ? [] : [`${when} ${isoTime(job.freeAtMs)}`]),
    ...(job.lastError === undefined ? [] : [inOneLine(job.lastError)]),
  ].join('  ');
}
