import type { Command } from 'commander';
import { readConfig } from '../config.js';
import type { Added } from '../world/pass.js';
import { onDatabase, withCommonOptions, type CommandIo, type CommonOptions } from './command.js';

interface LoadOptions extends CommonOptions {
  readonly baseUrl?: string;
}

/** `pipit load FILE...` (reference/world-file.md). */
export function addLoadCommand(program: Command, io: CommandIo): void {
  withCommonOptions(program.command('load <files...>'))
    .description('add world files to the database, each whole or not at all')
    .option('--base-url <url>', 'where links in posts lead (default http://127.0.0.1:8080)')
    .action((files: readonly string[], options: LoadOptions) => load(io, files, options));
}

async function load(io: CommandIo, files: readonly string[], options: LoadOptions): Promise<void> {
  const { createWriter, worldDeps } = await import('../backend.js');
  const { publicUrlOf } = await import('../port.js');
  const { loadWorldFile } = await import('../world/world-file.js');
  const publicUrl = publicUrlOf(readConfig({ baseUrl: options.baseUrl }, io.env));
  await onDatabase(io, options, async (backend) => {
    const deps = worldDeps(backend, await createWriter(backend, publicUrl));
    const loaded: { file: string; added: Added }[] = [];
    for (const file of files) loaded.push({ file, added: await loadWorldFile(deps, file) });
    return {
      json: { files: loaded },
      text: loaded.map(({ file, added }) => `${file}: ${describe(added)}`).join('\n'),
    };
  });
}

function describe(added: Added): string {
  const parts = Object.entries(added).filter(([, count]) => count > 0);
  if (parts.length === 0) return 'nothing new';
  return `added ${parts.map(([section, count]) => `${count} ${section}`).join(', ')}`;
}
