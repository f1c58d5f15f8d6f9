import { relative, resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { parseDigits } from '../core/digits.js';
import { pipitVersion } from '../server/pipit-version.js';
import { systemClock } from '../core/clock.js';
import type { RecordingReport } from '../recording/recording.js';
import { type CommandIo, printResult, type Result } from './command.js';

interface RecordFlags {
  readonly out: string;
  readonly target: URL;
  readonly port: number;
  readonly finish?: true;
  readonly json?: true;
}

const MAX_PORT = 65_535;

/** Adds `pipit record` (docs/recording.md). */
export function addRecordCommand(program: Command, io: CommandIo): void {
  program
    .command('record')
    .description(
      'pass requests on to the original and write what its answers show as a world file and a journal',
    )
    .requiredOption('--out <folder>', 'the folder for world.json and journal.har')
    .option('--target <url>', 'the server to record', asTarget, new URL('https://api.x.com'))
    .option('--port <port>', 'the port on the loopback address; 0 for any free port', asPort, 8090)
    .option('--finish', 'write the files of a recording that did not end, and record nothing')
    .option('--json', 'print the result as JSON')
    .action((flags: RecordFlags) => record(io, flags));
}

async function record(io: CommandIo, flags: RecordFlags): Promise<void> {
  const { startRecording, finishRecording } = await import('../recording/recording.js');
  const folder = resolve(io.folder, flags.out);
  const { target, port } = flags;
  const version = pipitVersion();
  if (flags.finish) {
    printResult(io, flags, resultOf(await finishRecording({ folder, version }), relative(io.folder, folder)));
    return;
  }
  const recording = await startRecording({
    folder,
    target,
    port,
    version,
    clock: systemClock,
    onLogFailure: (error) =>
      io.note(`cannot keep the recording on disk as it goes; the end writes it: ${error.message}`),
  });
  if (recording.continued > 0)
    io.note(`continuing a recording that did not end, with ${recording.continued} requests`);
  io.note(`recording ${target.origin} at ${recording.url}; Ctrl+C ends and writes ${flags.out}`);
  await io.stopRequested();
  printResult(io, flags, resultOf(await recording.finish(), relative(io.folder, folder)));
}

function resultOf(report: RecordingReport, folder: string): Result {
  const { world, completedUsers, leftOutPosts, leftOutReferences, leftOutEntries, beyondBound } = report;
  const { leftOutMessages, leftOutSpaces } = report;
  const json = {
    requests: report.requests,
    world,
    completed_users: completedUsers,
    left_out: {
      posts: leftOutPosts,
      references: leftOutReferences,
      messages: leftOutMessages,
      spaces: leftOutSpaces,
      entries: leftOutEntries,
      beyond_bound: beyondBound,
    },
  };
  const sections = Object.entries(world).map(
    ([section, count]) => `${count} ${section.replaceAll('_', ' ')}`,
  );
  const lines = [
    `recorded ${report.requests} requests: ${sections.join(', ') || 'nothing for a world file'}`,
    ...(completedUsers > 0 ? [`completed: ${completedUsers} users whose profile was not seen`] : []),
    ...(leftOutPosts > 0 ? [`left out: ${leftOutPosts} posts without author, text or original`] : []),
    ...(leftOutReferences > 0
      ? [`left out: ${leftOutReferences} references to posts that were not seen`]
      : []),
    ...(leftOutMessages > 0 ? [`left out: ${leftOutMessages} messages without sender or participants`] : []),
    ...(leftOutSpaces > 0 ? [`left out: ${leftOutSpaces} Spaces without a creator`] : []),
    ...(leftOutEntries > 0 ? [`left out: ${leftOutEntries} entries that no world file may have`] : []),
    ...(beyondBound > 0 ? [`left out: ${beyondBound} objects beyond the bound of a recording`] : []),
    `wrote ${folder}/world.json and ${folder}/journal.har`,
  ];
  return { json, text: lines.join('\n') };
}

function asTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') return url;
  throw new InvalidArgumentError('It must be the address of a server, such as https://api.x.com.');
}

function asPort(text: string): number {
  const port = parseDigits(text, 0, MAX_PORT);
  if (port === undefined) throw new InvalidArgumentError(`It must be a number from 0 to ${MAX_PORT}.`);
  return port;
}
