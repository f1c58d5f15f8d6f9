import type { Command } from 'commander';
import type { CommandIo } from './command.js';

/**
 * Adds `pipit sandbox …`. Its commands come from the declared operations of the sandbox, which other commands need not
 * load.
 */
export function addSandboxCommands(program: Command, io: CommandIo): void {
  program
    .command('sandbox')
    .description('control a server that runs with --sandbox')
    .argument('[command...]')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (words: readonly string[]) => {
      const { createSandboxProgram } = await import('./sandbox-program.js');
      await createSandboxProgram(io).parseAsync(words.length === 0 ? ['--help'] : words, { from: 'user' });
    });
}
