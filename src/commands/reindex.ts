import type { Command } from 'commander';
import { withCommonOptions, type CommandIo, type CommonOptions } from './command.js';
import { onDatabase } from './on-database.js';

interface ReindexFlags extends CommonOptions {
  readonly clear?: boolean;
}

const PROGRESS_MS = 1_000;

/** `pipit reindex`: puts every post into the search index again, also while a server runs on the database. */
export function addReindexCommand(program: Command, io: CommandIo): void {
  withCommonOptions(program.command('reindex'))
    .description('put every post into the search index again; broken off, the next call goes on')
    .option('--clear', 'forget the index first, for one that is damaged: searches find less until the end')
    .action((flags: ReindexFlags) => reindex(io, flags));
}

async function reindex(io: CommandIo, flags: ReindexFlags): Promise<void> {
  const { rebuildIndex } = await import('../services/search/rebuild-index.js');
  const onProgress = createProgress(io);
  await onDatabase(io, flags, async ({ engine }) => {
    const { posts, resumed } = await rebuildIndex(engine, { clear: flags.clear, onProgress });
    return {
      json: { posts, resumed },
      text: `indexed ${posts} posts${resumed ? ', from where it was broken off' : ''}`,
    };
  });
}

function createProgress(io: CommandIo): (posts: number) => void {
  let nextMs = performance.now() + PROGRESS_MS;
  return (posts) => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + PROGRESS_MS;
    io.note(io.isTerminal ? `${posts} posts` : JSON.stringify({ posts }));
  };
}
