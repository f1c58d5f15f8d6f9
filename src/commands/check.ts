import type { Command } from 'commander';
import type { Backend } from '../server/backend.js';
import type { CheckResult } from '../services/checks/run-checks.js';
import type { BlobStore } from '../stores/blobs/blob-store.js';
import { CHECK_KINDS, type CheckKind } from '../stores/checks/part.js';
import { choice, withCommonOptions, type CommandIo, type CommonOptions, type Result } from './command.js';
import { withMediaStore } from './media-store.js';
import { onDatabase } from './on-database.js';
import { runSteps } from './row-steps.js';
import { optionOf } from './setting-options.js';

interface CheckFlags extends CommonOptions {
  readonly only?: readonly CheckKind[];
  readonly repair?: true;
  readonly media?: string;
}

/** The exit status when differences are left. */
const DIFFERENCES = 3;

/** Adds `pipit check`, which may run beside servers; `end` receives its exit status. */
export function addCheckCommand(program: Command, io: CommandIo, end: (status: number) => void): void {
  withCommonOptions(program.command('check'))
    .description('recompute counts, lists, timelines, indexes and files, and report what is stored otherwise')
    .addOption(choice('--only <kinds...>', 'check only these', CHECK_KINDS))
    .option('--repair', 'mend what differs')
    .addOption(optionOf('media'))
    .action((flags: CheckFlags) => check(io, flags, end));
}

async function check(io: CommandIo, flags: CheckFlags, end: (status: number) => void): Promise<void> {
  let left = 0;
  await onDatabase(io, flags, async (backend) => {
    const results = await runAll(io, flags, backend);
    left = results.reduce((sum, { differing, mended }) => sum + differing - mended, 0);
    return resultOf(results, flags.repair ?? false);
  });
  if (left > 0) end(DIFFERENCES);
}

async function runAll(io: CommandIo, flags: CheckFlags, backend: Backend): Promise<CheckResult[]> {
  const kinds = new Set(flags.only ?? CHECK_KINDS);
  if (!kinds.has('files')) return runParts(io, flags, backend);
  return withMediaStore(io, flags, backend, (blobs) => runParts(io, flags, backend, blobs));
}

async function runParts(
  io: CommandIo,
  { only = CHECK_KINDS, repair = false }: Pick<CheckFlags, 'only'> & { readonly repair?: boolean },
  { engine, clock }: Backend,
  blobs?: BlobStore,
): Promise<CheckResult[]> {
  const { partsOf } = await import('../services/checks/all-parts.js');
  const { runChecks } = await import('../services/checks/run-checks.js');
  const parts = partsOf(engine, new Set(only), blobs && { blobs, clock });
  return runSteps(
    io,
    (options) => runChecks(engine, parts, { mends: repair, ...options }),
    repair ? 'the rest is not mended' : 'nothing was changed',
  );
}

function resultOf(results: readonly CheckResult[], repair: boolean): Result {
  const sum = (of: (result: CheckResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  const [differing, mended] = [sum((result) => result.differing), sum((result) => result.mended)];
  const total =
    differing === 0
      ? 'everything is as it should be'
      : `${differing} ${differing === 1 ? 'difference' : 'differences'}${repair ? `, ${mended} mended` : ''}`;
  return {
    json: { differing, ...(repair && { mended }), checks: results.map((result) => asJson(result, repair)) },
    text: [...tableOf(results, repair), total].join('\n'),
  };
}

function asJson({ mended, ...result }: CheckResult, repair: boolean) {
  return repair ? { ...result, mended } : result;
}

function tableOf(results: readonly CheckResult[], repair: boolean): string[] {
  const width = Math.max(0, ...results.map(({ of }) => of.length));
  const line = (kind: string, of: string, ...numbers: readonly (string | number)[]): string =>
    [kind.padEnd(13), of.padEnd(width), ...numbers.map((number) => String(number).padStart(9))].join('  ');
  return [
    line('kind', 'of', 'checked', 'differing', ...(repair ? ['mended'] : [])),
    ...results.flatMap(({ kind, of, checked, differing, mended, examples }) => [
      line(kind, of, checked, differing, ...(repair ? [mended] : [])),
      ...examples.map((example) => `  ${example}`),
      ...(differing > examples.length ? [`  and ${differing - examples.length} more`] : []),
    ]),
  ];
}
