import type { Command } from 'commander';
import { CommandRefused, type CommandIo, type CommonOptions } from './command.js';

/** The options of irreversible commands. */
export interface ConfirmOptions extends CommonOptions {
  readonly yes?: true;
}

/** Adds `--yes` to an irreversible command. */
export function withYes(command: Command): Command {
  return command.option('--yes', 'do not ask for confirmation; required without a terminal');
}

/**
 * Asks for confirmation of an irreversible action, such as `delete @bob with all posts`. Throws CommandRefused if the
 * answer is not yes, with status 2 if there is no terminal and no `--yes`.
 */
export async function confirm(io: CommandIo, { yes }: ConfirmOptions, what: string): Promise<void> {
  if (yes) return;
  const answer = await io.ask(`This will ${what}. Continue? [y/N] `);
  if (answer === undefined) throw new CommandRefused(`this would ${what}: add --yes to continue`, 2);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandRefused('nothing was changed');
}
