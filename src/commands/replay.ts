import { setTimeout as delay } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { KEY_VARIABLE } from '../lead/credentials.js';
import type { ReplayReport } from '../recording/replay.js';
import type { ReplayStep } from '../recording/plan-replay.js';
import type { ArchivedPosts } from '../recording/read-archive.js';
import type { ReplayTarget } from '../recording/replay-target.js';
import { systemClock } from '../core/clock.js';
import type { Backend } from '../server/backend.js';
import { readConfig } from '../server/config.js';
import {
  CommandRefused,
  printResult,
  withCommonOptions,
  type CommandIo,
  type CommonOptions,
  type Result,
} from './command.js';
import { openSources } from './import-sources.js';
import { onDatabase } from './on-database.js';
import { optionOf, positive } from './setting-options.js';

interface ReplayFlags extends CommonOptions {
  readonly speed: number;
  readonly limit: number;
  readonly baseUrl?: string;
  /** A sandbox, instead of the database. */
  readonly url?: string;
  readonly sandboxKey?: string;
}

const DEFAULT_LIMIT = 100_000;
const MAX_SPEED = 1_000_000;

/** Adds `pipit replay FILE...` (docs/recording.md#replaying). */
export function addReplayCommand(program: Command, io: CommandIo): void {
  withCommonOptions(program.command('replay <files...>'))
    .description('post the posts of twarc2 JSONL as their authors, as if they were written now')
    .option('--speed <factor>', 'how much faster than they were written', asSpeed, 1)
    .option('--limit <n>', 'the most posts to replay', positive, DEFAULT_LIMIT)
    .addOption(optionOf('baseUrl', 'the base URL of links in posts, if not host and port of the server'))
    .option('--url <url>', 'post over HTTP into the sandbox at this URL, instead of into a database')
    .option('--sandbox-key <key>', `the key of the sandbox (${KEY_VARIABLE})`)
    .action((files: readonly string[], flags: ReplayFlags) => replayFiles(io, files, flags));
}

async function replayFiles(io: CommandIo, files: readonly string[], flags: ReplayFlags): Promise<void> {
  const { readArchives } = await import('../recording/read-archive.js');
  const { planReplay } = await import('../recording/plan-replay.js');
  const archived = await readArchives(await openSources(io, files), flags.limit);
  const steps = planReplay(archived, flags.speed);
  if (steps.length === 0) throw new CommandRefused('there are no posts to replay');
  let isStopped = false;
  const run = async (target: ReplayTarget): Promise<Result> => {
    const report = await replayInto(io, target, { archived, steps });
    ({ isStopped } = report);
    return resultOf(report, archived);
  };
  const { url } = flags;
  if (url === undefined)
    await onDatabase(io, flags, async (backend) => run(await databaseTarget(io, flags, backend)));
  else printResult(io, flags, await run(await sandboxTarget(io, url, flags)));
  if (isStopped) throw new CommandRefused('interrupted; what was posted stays', 130);
}

interface Replaying {
  readonly archived: ArchivedPosts;
  readonly steps: readonly ReplayStep[];
}

async function replayInto(io: CommandIo, target: ReplayTarget, { archived, steps }: Replaying) {
  const { replay } = await import('../recording/replay.js');
  const { createReplayed, prepareAuthors, preparePlaces } = await import('../recording/replay-posts.js');
  const { renamed, usernames } = await prepareAuthors(target, archived);
  const placeIds = await preparePlaces(target, archived);
  const waiting = new AbortController();
  void io.stopRequested().then(() => waiting.abort());
  const report = await replay(steps, {
    create: createReplayed({ target, archived, usernames, placeIds }),
    clock: systemClock,
    wait: (durationMs) => delay(durationMs, undefined, { signal: waiting.signal }).catch(() => undefined),
    isStopped: () => waiting.signal.aborted,
    onProgress: ({ posted }) => io.showStatus?.(`${posted} of ${steps.length} posted`),
  });
  io.showStatus?.('');
  return { ...report, renamed };
}

async function databaseTarget(
  io: CommandIo,
  { baseUrl }: ReplayFlags,
  backend: Backend,
): Promise<ReplayTarget> {
  const { publicUrlOf } = await import('../server/port.js');
  const { createDatabaseTarget } = await import('../recording/database-target.js');
  return createDatabaseTarget(backend, publicUrlOf(readConfig({ baseUrl }, io.env)));
}

async function sandboxTarget(io: CommandIo, url: string, flags: ReplayFlags): Promise<ReplayTarget> {
  if (!URL.canParse(url)) throw new CommandRefused(`--url must be a URL such as http://127.0.0.1:8080`, 2);
  const { createSandboxTarget } = await import('../recording/sandbox-target.js');
  const key = flags.sandboxKey ?? (io.env[KEY_VARIABLE] || undefined);
  return createSandboxTarget({ url: url.replace(/\/$/, ''), key });
}

function resultOf(
  { posted, refused, renamed }: ReplayReport & { readonly renamed: number },
  { unusedLines }: ArchivedPosts,
): Result {
  const reasons = [...refused].sort(([, one], [, other]) => other - one);
  return {
    json: { posted, refused: Object.fromEntries(reasons), renamed_users: renamed, unused_lines: unusedLines },
    text: [
      `posted ${posted} posts`,
      ...reasons.map(([reason, count]) => `refused: ${count} ${reason}`),
      ...(renamed > 0 ? [`renamed: ${renamed} users whose usernames are not free or not valid`] : []),
      ...(unusedLines > 0 ? [`not used: ${unusedLines} lines without posts`] : []),
    ].join('\n'),
  };
}

function asSpeed(text: string): number {
  const speed = /^\d{1,7}(?:\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (speed > 0 && speed <= MAX_SPEED) return speed;
  throw new InvalidArgumentError(`It must be a number above 0, up to ${MAX_SPEED}.`);
}
