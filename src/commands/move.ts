import type { Command } from 'commander';
import { resolve } from 'node:path';
import { readDatabase, readKeyPlace, readOne } from '../server/config.js';
import type { Moved, MoveProgress } from '../server/move/move.js';
import {
  CommandRefused,
  confirm,
  printResult,
  withYes,
  type CommandIo,
  type ConfirmOptions,
} from './command.js';
import { requireDatabase } from './on-database.js';
import { createPace } from './progress-pace.js';
import { optionOf } from './setting-options.js';

interface MoveFlags extends ConfirmOptions {
  readonly follow?: true;
  readonly abandon?: true;
  readonly fromMedia?: string;
  readonly toMedia?: string;
}

/** Adds `pipit move FROM TO` (docs/operations.md#move-to-another-engine). */
export function addMoveCommand(program: Command, io: CommandIo): void {
  withYes(program.command('move <from> <to>'))
    .description(
      'copy everything to an empty database of any engine, with key and media; the same command continues an interrupted move',
    )
    .option('--follow', 'copy while servers use FROM, until they stop')
    .option('--from-media <place>', 'the media of FROM, as --media of serve (default media/ beside it)')
    .option('--to-media <place>', 'the media of TO, as --media of serve (default media/ beside it)')
    .addOption(optionOf('keyFile', 'the key of the servers of both, if it is not beside the databases'))
    .option('--abandon', 'end an unfinished move for good and empty TO')
    .option('--json', 'print the result as JSON')
    .action((from: string, to: string, flags: MoveFlags) =>
      flags.abandon ? abandon(io, from, to, flags) : moveTo(io, from, to, flags),
    );
}

async function moveTo(io: CommandIo, fromText: string, toText: string, flags: MoveFlags): Promise<void> {
  const [from, to] = await readPlaces(fromText, toText);
  const { DATA_FOLDER } = await import('../server/backend.js');
  const { runMove } = await import('../server/move/open-move.js');
  const stop = new AbortController();
  void io.stopRequested().then(() => stop.abort());
  const progress = createProgress(io);
  const moved = await runMove({
    from: { database: from, media: readOne('media', flags.fromMedia, {}) },
    to: { database: to, media: readOne('media', flags.toMedia, {}) },
    dataFolder: resolve(io.folder, DATA_FOLDER),
    follows: flags.follow ?? false,
    sharesKey: readKeyPlace(flags.keyFile, io.env) !== undefined,
    signal: stop.signal,
    onProgress: progress.report,
    onInStep: () => {
      progress.end();
      io.note('everything is copied, and changes follow: stop the servers of FROM to switch');
    },
  })
    .catch((error: unknown) => {
      throw error instanceof Error && error.name === 'MoveStopped'
        ? new CommandRefused(error.message, 130)
        : error;
    })
    .finally(progress.end);
  printResult(io, flags, { json: asJson(moved), text: asText(moved) });
}

async function abandon(io: CommandIo, fromText: string, toText: string, flags: MoveFlags): Promise<void> {
  const [from, to] = await readPlaces(fromText, toText);
  await confirm(io, flags, 'delete what an unfinished move has copied to TO');
  const { abandonMove } = await import('../server/move/open-move.js');
  if (!(await abandonMove(from, to)))
    throw new CommandRefused('there is no unfinished move between these databases');
  printResult(io, flags, {
    json: { abandoned: true },
    text: 'abandoned: FROM records no changes any more, and TO is empty',
  });
}

async function readPlaces(from: string, to: string): Promise<[string, string]> {
  const places: [string, string] = [readDatabase(from, {}), readDatabase(to, {})];
  await requireDatabase(places[0]);
  return places;
}

function createProgress(io: CommandIo): { report(progress: MoveProgress): void; end(): void } {
  const { note, showStatus } = io;
  const isTime = createPace(io);
  let before: { readonly what: string; readonly ms: number; readonly rows: number } | undefined;
  return {
    report: ({ step, table, rows }) => {
      const nowMs = performance.now();
      const what = table === undefined ? step : `${step} ${table}`;
      if (before?.what !== what) before = { what, ms: nowMs, rows };
      if (!isTime(nowMs)) return;
      const seconds = (nowMs - before.ms) / 1_000;
      const rate = seconds > 0 ? Math.round((rows - before.rows) / seconds) : 0;
      if (showStatus) showStatus(`${what}: ${rows}, ${rate}/s`);
      else note(JSON.stringify({ step, table, rows, per_second: rate }));
    },
    end: () => showStatus?.(''),
  };
}

function asJson({ isResumed, tables, media, stoppedMs, stepMs }: Moved) {
  return {
    resumed: isResumed,
    tables: Object.fromEntries(tables.map(({ name, rows, checksum }) => [name, { rows, checksum }])),
    media: media && {
      files: media.sum.rows,
      bytes: media.bytes,
      missing: [...media.missing],
      checksum: media.sum.hex,
    },
    stopped_ms: stoppedMs === undefined ? undefined : Math.round(stoppedMs),
    step_ms: Object.fromEntries(Object.entries(stepMs).map(([step, ms]) => [step, Math.round(ms)])),
  };
}

function asText({ tables, media, stoppedMs }: Moved): string {
  const rows = tables.filter((table) => table.rows > 0);
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  return [
    ...rows.map(
      (table) => `${table.name.padEnd(width)}  ${String(table.rows).padStart(10)}  ${table.checksum}`,
    ),
    ...(media
      ? [`${media.sum.rows} media files, ${media.bytes} bytes, checksum ${media.sum.hex}`]
      : ['both databases share their media files']),
    ...(media?.missing.size ? [`${media.missing.size} media files were already missing in FROM`] : []),
    ...(stoppedMs === undefined ? [] : [`${(stoppedMs / 1_000).toFixed(1)} s after the stop of the servers`]),
    'moved: start the servers with --database TO, and none on FROM again',
  ].join('\n');
}
