import type { Command } from 'commander';
import { withCommonOptions, type CommandIo, type CommonOptions } from './command.js';
import { onDatabase } from './on-database.js';

interface ReindexFlags extends CommonOptions {
  readonly clear?: boolean;
}

const PROGRESS_MS = 1_000;

/** Adds `pipit reindex`, which rebuilds the search index, even while a server is running. */
export function addReindexCommand(program: Command, io: CommandIo): void {
  withCommonOptions(program.command('reindex'))
    .description('rebuild the search index from all posts; resumes if interrupted')
    .option('--clear', 'empty a damaged index first; searches are incomplete until the rebuild ends')
    .action((flags: ReindexFlags) => reindex(io, flags));
}

async function reindex(io: CommandIo, flags: ReindexFlags): Promise<void> {
  const { rebuildIndex } = await import('../services/search/rebuild-index.js');
  const onProgress = createProgress(io);
  await onDatabase(io, flags, async ({ engine }) => {
    const { posts, resumed } = await rebuildIndex(engine, { clear: flags.clear, onProgress });
    return {
      json: { posts, resumed },
      text: `indexed ${posts} posts${resumed ? ', resuming an interrupted rebuild' : ''}`,
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
