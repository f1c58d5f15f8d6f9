import { InvalidArgumentError, type Command } from 'commander';
import type { Backend } from '../server/backend.js';
import { parseDuration } from '../server/setting-texts.js';
import type { Pruned, PruneOrder } from '../services/prune/prune.js';
import type { BlobStore } from '../stores/blobs/blob-store.js';
import {
  CommandRefused,
  confirm,
  withCommonOptions,
  withYes,
  type CommandIo,
  type ConfirmOptions,
  type Result,
} from './command.js';
import { withMediaStore } from './media-store.js';
import { onDatabase } from './on-database.js';
import { runSteps } from './row-steps.js';
import { optionOf } from './setting-options.js';

interface PruneFlags extends ConfirmOptions {
  readonly importedOlderThan?: number;
  readonly unusedMedia?: true;
  readonly journalsOlderThan?: number;
  readonly dryRun?: true;
  readonly media?: string;
}

const DAY_MS = 24 * 3_600_000;

/** Pages and endpoints show the figures of so many days. */
const MIN_JOURNAL_DAYS = 90;

/** Adds `pipit prune`, which may run beside servers. */
export function addPruneCommand(program: Command, io: CommandIo): void {
  withYes(withCommonOptions(program.command('prune')))
    .description('delete old imported posts, media that nobody refers to, and old records')
    .option(
      '--imported-older-than <age>',
      'imported posts that were written so long ago, such as 365d',
      readAge,
    )
    .option('--unused-media', 'imported media that no post shows, unused uploads, and files without media')
    .option(
      '--journals-older-than <age>',
      `dead jobs, read notices and figures of days from before, from ${MIN_JOURNAL_DAYS}d`,
      readJournalAge,
    )
    .option('--dry-run', 'count what would be deleted, change nothing')
    .addOption(optionOf('media'))
    .action((flags: PruneFlags) => prune(io, flags));
}

function readAge(text: string): number {
  const ageMs = /^[0-9]{1,5}d$/.test(text) ? Number(text.slice(0, -1)) * DAY_MS : parseDuration(text);
  if (ageMs === undefined || ageMs === 0)
    throw new InvalidArgumentError('It must be a number of days or hours, such as 365d or 36h.');
  return ageMs;
}

function readJournalAge(text: string): number {
  const ageMs = readAge(text);
  if (ageMs < MIN_JOURNAL_DAYS * DAY_MS)
    throw new InvalidArgumentError(`It must be ${MIN_JOURNAL_DAYS}d or more: younger ones are in use.`);
  return ageMs;
}

async function prune(io: CommandIo, flags: PruneFlags): Promise<void> {
  const { importedOlderThan, unusedMedia, journalsOlderThan, dryRun } = flags;
  const parts = [
    importedOlderThan === undefined ? [] : ['old imported posts'],
    unusedMedia ? ['unused media'] : [],
    journalsOlderThan === undefined ? [] : ['old records'],
  ].flat();
  if (parts.length === 0)
    throw new CommandRefused(
      'say what to delete: --imported-older-than, --unused-media or --journals-older-than',
      2,
    );
  const confirmOnce = dryRun
    ? () => Promise.resolve()
    : () => confirm(io, flags, `delete ${parts.join(', ')}`);
  await onDatabase(io, flags, async (backend) => {
    await confirmOnce();
    const run = (blobs?: BlobStore) => runPrune(io, flags, backend, blobs);
    const pruned = unusedMedia ? await withMediaStore(io, flags, backend, run) : await run();
    return resultOf(pruned, dryRun ?? false);
  });
}

async function runPrune(
  io: CommandIo,
  flags: PruneFlags,
  { engine, clock }: Backend,
  blobs: BlobStore | undefined,
): Promise<Pruned[]> {
  const service = await import('../services/prune/prune.js');
  const before = (ageMs: number | undefined) => (ageMs === undefined ? undefined : clock() - ageMs);
  const order: PruneOrder = {
    importedBeforeMs: before(flags.importedOlderThan),
    rowsBeforeMs: before(flags.journalsOlderThan),
    blobs,
    isDryRun: flags.dryRun ?? false,
  };
  return runSteps(
    io,
    (options) => service.prune({ engine, clock, ...options }, order),
    flags.dryRun ? 'nothing was changed' : 'what is left is deleted by the same command',
  );
}

function resultOf(pruned: readonly Pruned[], isDryRun: boolean): Result {
  const named = pruned.map(({ what, ...numbers }) => [what.replaceAll(' ', '_'), numbers] as const);
  return {
    json: { ...(isDryRun && { dry_run: true }), ...Object.fromEntries(named) },
    text: pruned.map((each) => lineOf(each, isDryRun)).join('\n'),
  };
}

function lineOf({ what, deleted, bytes, kept }: Pruned, isDryRun: boolean): string {
  return [
    `${what}: ${deleted} ${isDryRun ? 'would be deleted' : 'deleted'}`,
    ...(bytes === undefined ? [] : [`${bytes} bytes`]),
    ...(kept === undefined ? [] : [`${kept} kept, which are used`]),
  ].join(', ');
}
