import type { Command } from 'commander';
import type { Backend } from '../server/backend.js';
import { readConfig, readOne } from '../server/config.js';
import { WorldRefused } from '../world/faults.js';
import type { WorldDeps } from '../world/load-world.js';
import type { Added } from '../world/pass.js';
import { withCommonOptions, type CommandIo, type CommonOptions, type Result } from './command.js';
import { withMediaStore } from './media-store.js';
import { onDatabase } from './on-database.js';
import { optionOf } from './setting-options.js';

interface LoadOptions extends CommonOptions {
  readonly baseUrl?: string;
  readonly media?: string;
}

/** The result of the files up to the first failure. */
interface Outcome {
  readonly loaded: readonly { readonly file: string; readonly added: Added }[];
  readonly failure?: { readonly error: unknown };
}

/** Adds `pipit load FILE...` (docs/command-line.md). */
export function addLoadCommand(program: Command, io: CommandIo): void {
  withCommonOptions(program.command('load <files...>'))
    .description('add world files to the database, each completely or not at all')
    .addOption(optionOf('baseUrl', 'the base URL of links in posts, if not host and port of the server'))
    .addOption(optionOf('media'))
    .action((files: readonly string[], options: LoadOptions) => load(io, files, options));
}

async function load(io: CommandIo, files: readonly string[], options: LoadOptions): Promise<void> {
  const { createWriter, worldDeps } = await import('../server/backend.js');
  const { publicUrlOf } = await import('../server/port.js');
  const { requireWorldFiles } = await import('../world/world-file.js');
  const publicUrl = publicUrlOf(readConfig({ baseUrl: options.baseUrl }, io.env));
  // Refuses a wrong place before anything is created.
  readOne('media', options.media, io.env);
  await requireWorldFiles(files);
  let outcome: Outcome = { loaded: [] };
  const loadAll = async (backend: Backend): Promise<Result> => {
    outcome = await withMediaStore(io, options, backend, async (blobs) =>
      loadEach(worldDeps(backend, await createWriter(backend, publicUrl), blobs), files),
    );
    return resultOf(outcome);
  };
  await onDatabase(io, options, loadAll, { creates: true });
  // The files before the failed one are loaded and printed first.
  if (outcome.failure) throw outcome.failure.error;
}

async function loadEach(deps: WorldDeps, files: readonly string[]): Promise<Outcome> {
  const { loadWorldFile } = await import('../world/world-file.js');
  const loaded: { file: string; added: Added }[] = [];
  try {
    for (const file of files) loaded.push({ file, added: await loadWorldFile(deps, file) });
    return { loaded };
  } catch (error) {
    return { loaded, failure: { error } };
  }
}

function resultOf({ loaded, failure }: Outcome): Result {
  const refused = failure?.error instanceof WorldRefused ? failure.error : undefined;
  return {
    json: { files: loaded, refused: refused && asJson(refused) },
    text: loaded.map(({ file, added }) => `${file}: ${describe(added)}`).join('\n'),
  };
}

function asJson({ file, faults, unlisted }: WorldRefused) {
  return { file, faults, ...(unlisted > 0 && { unlisted }) };
}

function describe(added: Added): string {
  const parts = Object.entries(added).filter(([, count]) => count > 0);
  if (parts.length === 0) return 'nothing new';
  return `added ${parts.map(([section, count]) => `${count} ${section.replaceAll('_', ' ')}`).join(', ')}`;
}
