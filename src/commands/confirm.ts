import type { Command } from 'commander';
import { CommandRefused, type CommandIo, type CommonOptions } from './command.js';

/** The options of commands that cannot be undone. */
export interface ConfirmOptions extends CommonOptions {
  readonly yes?: true;
}

/** Adds `--yes` to a command that cannot be undone. */
export function withYes(command: Command): Command {
  return command.option('--yes', 'do it without asking; wanted where there is no terminal to ask on');
}

/**
 * Asks on a terminal before something that cannot be undone, as `delete @bob with all posts`. Throws CommandRefused when the
 * answer is not yes, or with status 2 when there is nobody to ask and no `--yes`.
 */
export async function confirm(io: CommandIo, { yes }: ConfirmOptions, what: string): Promise<void> {
  if (yes) return;
  const answer = await io.ask(`This will ${what}. Go on? [y/N] `);
  if (answer === undefined) throw new CommandRefused(`this would ${what}: add --yes to go on`, 2);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandRefused('nothing was changed');
}
