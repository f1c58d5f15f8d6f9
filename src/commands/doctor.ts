import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ProxySettings } from '../auth/proxy-notice.js';
import { readConfig, readKeyPlace, readOne } from '../server/config.js';
import { type CheckOptions, type Finding, ok, warning } from '../database/inspection.js';
import type { Health } from '../operations/health.js';
import {
  CommandRefused,
  isoTime,
  printResult,
  readLastingDatabase,
  withCommonOptions,
  type CommandIo,
  type CommonOptions,
} from './command.js';
import { requireDatabase } from './on-database.js';
import { optionOf } from './setting-options.js';

interface DoctorOptions extends CommonOptions {
  readonly media?: string;
  readonly deep?: true;
  readonly workers?: string;
  readonly backupEvery?: string;
  readonly backupTo?: string;
  readonly postgresPrograms?: string;
}

/** Adds `pipit doctor`, which checks the database and its environment without changing anything. */
export function addDoctorCommand(program: Command, io: CommandIo): void {
  withCommonOptions(program.command('doctor'))
    .description(
      'report problems of the database, its settings, disk and key; exit status 1 if there are any',
    )
    .option('--deep', 'also read every page of the database')
    .addOption(optionOf('workers', 'the number of server processes, as for serve'))
    .addOption(optionOf('media'))
    .addOption(optionOf('backupEvery', 'how often servers make backups'))
    .addOption(optionOf('backupTo'))
    .addOption(optionOf('postgresPrograms'))
    .action((options: DoctorOptions) => doctor(io, options));
}

async function doctor(io: CommandIo, options: DoctorOptions): Promise<void> {
  const database = readLastingDatabase(io, options);
  const { workers: processes, backupEvery, backupTo, postgresPrograms } = options;
  const config = readConfig(
    { database, workers: processes, backupEvery, backupTo, postgresPrograms },
    io.env,
  );
  const { durability, workers } = config;
  await requireDatabase(database);
  const { DATA_FOLDER } = await import('../server/backend.js');
  const { checkShared } = await import('../server/shared-checks.js');
  const health = await inspectHealth(database, { isDeep: options.deep ?? false, processes: workers });
  const shared = await checkShared(database, {
    keyPlace: readKeyPlace(options.keyFile, io.env),
    mediaPlace: readOne('media', options.media, io.env),
    dataFolder: resolve(io.folder, DATA_FOLDER),
    baseUrl: config.baseUrl,
    hasSchema: health.schemaVersion > 0,
  });
  const { checkBackups } = await import('../server/backups/check-backups.js');
  const { systemClock } = await import('../core/clock.js');
  const findings = [
    ...health.findings,
    checkDurability(durability),
    await checkProxy(config),
    ...shared,
    ...(await checkBackups(config, systemClock())),
  ];
  printResult(io, options, { json: asJson(health, findings), text: asText(health, findings) });
  const problems = findings.filter((finding) => finding.level === 'problem');
  if (problems.length > 0)
    throw new CommandRefused(problems.map(({ check, message }) => `${check}: ${message}`).join('; '));
}

/** Checks a database without changing anything. */
export async function inspectHealth(database: string, options: CheckOptions): Promise<Health> {
  const { inspectDatabase } = await import('../database/open-engine.js');
  const { checkHealth } = await import('../operations/health.js');
  const { migrations } = await import('../database/migrations/all.js');
  const { systemClock } = await import('../core/clock.js');
  await using inspection = await inspectDatabase(database);
  return await checkHealth(inspection, { ...options, migrations, nowMs: systemClock() });
}

function checkDurability(durability: 'full' | 'relaxed'): Finding {
  return durability === 'full'
    ? ok('durability', 'full: acknowledged means on disk')
    : warning('durability', 'relaxed: a power failure may lose acknowledged writes');
}

async function checkProxy(config: ProxySettings): Promise<Finding> {
  const { missingProxyAdvice } = await import('../auth/proxy-notice.js');
  const check = 'proxy';
  const advice = missingProxyAdvice(config);
  if (advice !== undefined) return warning(check, advice);
  const message =
    config.trustedProxy.length > 0
      ? `forwarding headers of ${config.trustedProxy.join(', ')} are trusted`
      : 'none is declared, which is correct if clients connect directly';
  return ok(check, message);
}

function asJson(health: Health, findings: readonly Finding[]) {
  return {
    healthy: !findings.some((finding) => finding.level === 'problem'),
    engine: health.engine,
    engine_version: health.version,
    schema_version: health.schemaVersion,
    known_schema_version: health.knownSchemaVersion,
    worker_leases: health.leases.map(({ workerId, untilMs }) => ({
      worker_id: workerId,
      until: isoTime(untilMs),
    })),
    findings,
  };
}

function asText({ engine, version, leases }: Health, findings: readonly Finding[]): string {
  const held = leases.map(({ workerId, untilMs }) => `${workerId} until ${isoTime(untilMs)}`);
  return [
    `${engine} ${version}`,
    `worker ids in use: ${held.length === 0 ? 'none' : held.join(', ')}`,
    ...findings.map(({ level, check, message }) => `${level.padEnd(7)}  ${check}: ${message}`),
  ].join('\n');
}
