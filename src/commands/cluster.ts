import type { Command } from 'commander';
import type { DistributionPlan, PlacementStep } from '../database/distribution.js';
import {
  CommandRefused,
  isoTime,
  printResult,
  readLastingDatabase,
  withCommonOptions,
  type CommandIo,
  type CommonOptions,
  type Result,
} from './command.js';
import { inspectHealth } from './doctor.js';

interface DistributeFlags extends CommonOptions {
  readonly dryRun?: true;
}

/** Adds `pipit cluster`, which spreads a PostgreSQL database with Citus over several servers. */
export function addClusterCommands(program: Command, io: CommandIo): void {
  const cluster = program.command('cluster').description('spread a PostgreSQL database over several servers');
  withCommonOptions(cluster.command('distribute'))
    .description('distribute the tables of a database with Citus; continues if interrupted')
    .option('--dry-run', 'print the plan and change nothing')
    .action((flags: DistributeFlags) => distribute(io, flags));
  withCommonOptions(cluster.command('rebalance'))
    .description('move shards until the workers hold as much each, while servers run')
    .action((flags: CommonOptions) => rebalance(io, flags));
}

async function distribute(io: CommandIo, flags: DistributeFlags): Promise<void> {
  const url = await requireServerUrl(io, flags);
  const { openDistribution } = await import('../database/open-engine.js');
  const distribution = await openDistribution(url);
  // Refuses before anything changes.
  const dryRun = await distribution.distribute({ isDryRun: true });
  if (flags.dryRun) return printResult(io, flags, planResult(dryRun));
  await requireNoServers(url);
  await bringUpToDate(url);
  const { steps, workers } = await distribution.distribute({ onStep: (step) => io.note(inWords(step)) });
  const tables = steps.map(({ placement }) => placement.table);
  printResult(io, flags, {
    json: { distributed: tables, workers },
    text:
      tables.length === 0
        ? 'all tables are distributed already'
        : `distributed ${tables.length} tables over ${workers.length} workers`,
  });
}

async function rebalance(io: CommandIo, flags: CommonOptions): Promise<void> {
  const url = await requireServerUrl(io, flags);
  const { openDistribution } = await import('../database/open-engine.js');
  const distribution = await openDistribution(url);
  const moved = await distribution.rebalance((progress) => io.note(progress));
  printResult(io, flags, {
    json: { moved },
    text: moved === 0 ? 'the workers hold as much each already' : `moved ${moved} groups of shards`,
  });
}

/** Returns the URL of the selected database. Throws CommandRefused for SQLite. */
async function requireServerUrl(io: CommandIo, flags: CommonOptions): Promise<string> {
  const database = readLastingDatabase(io, flags);
  const { databaseFile } = await import('../server/backend.js');
  if (databaseFile(database) !== undefined)
    throw new CommandRefused('only a PostgreSQL database with Citus can be spread over several servers', 2);
  return database;
}

/** Throws CommandRefused while processes use the database: they would go on as if all tables were on one server. */
async function requireNoServers(url: string): Promise<void> {
  const { leases } = await inspectHealth(url, { isDeep: false, processes: 1 });
  const last = Math.max(...leases.map(({ untilMs }) => untilMs));
  if (leases.length > 0)
    throw new CommandRefused(
      `the database is in use: stop every server first ` +
        `(one that was killed counts until ${isoTime(last)})`,
    );
}

async function bringUpToDate(url: string): Promise<void> {
  const { useEngine } = await import('../database/open-engine.js');
  await useEngine(url, { durability: 'full' }, () => Promise.resolve());
}

function planResult({ version, workers, steps, local }: DistributionPlan): Result {
  return {
    json: { citus: version, workers, steps: steps.map(asJson), coordinator: local },
    text: [
      `Citus ${version} with ${workers.length} workers: ${workers.join(', ')}`,
      ...steps.map(inWords),
      `stay on the coordinator: ${local.join(', ')}`,
    ].join('\n'),
  };
}

function asJson({ placement, statements }: PlacementStep) {
  const { table } = placement;
  return placement.kind === 'sharded'
    ? { table, key: placement.key, group: placement.group, statements }
    : { table, copied: true, statements };
}

function inWords({ placement }: PlacementStep): string {
  const { table } = placement;
  return placement.kind === 'sharded'
    ? `${table}: by ${placement.key}, with ${placement.group}`
    : `${table}: copied to every server`;
}
