import { InvalidArgumentError, Option, type Command } from 'commander';
import { settingNamed, SETTING_NAMES, type Environment, type SettingName } from '../server/config.js';
import { CREDENTIAL_VARIABLES, URL_VARIABLE } from '../lead/credentials.js';
import { LEAD_VARIABLE, PID_VARIABLE } from '../lead/environment.js';
import { parseDigits } from '../core/digits.js';
import { nearest } from '../core/nearest.js';
import { SLOT_VARIABLE } from '../server/workers/messages.js';
import { flagName, variableName } from '../server/setting.js';

/** Returns the command-line option of a setting, with its default and variable in the help; `help` may say more. */
export function optionOf(name: SettingName, help = settingNamed(name).help): Option {
  const setting = settingNamed(name);
  const flag = flagName(name);
  const notes = [
    ...(setting.kind === 'list' ? ['repeatable'] : []),
    ...(setting.shownDefault === undefined ? [] : [`default ${setting.shownDefault}`]),
    variableName(name),
  ];
  const description = `${help} (${notes.join('; ')})`;
  if (setting.kind === 'switch') return new Option(flag, description);
  const option = new Option(`${flag} <${setting.value}>`, description);
  return setting.kind === 'list' ? option.argParser(collect) : option;
}

/** Adds the options of several settings to a command. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) command.addOption(optionOf(name));
  return command;
}

/** Collects the values of an option that may be given several times. */
export function collect(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

/** Reads the value of an option that is a whole number from 1. */
export function positive(text: string): number {
  const value = parseDigits(text, 1);
  if (value === undefined) throw new InvalidArgumentError('It must be a whole number from 1.');
  return value;
}

const PREFIX = 'PIPIT_';

/** Variables of tests, which child processes inherit. */
const TEST_PREFIX = 'PIPIT_TEST_';

/** What led programs receive. */
const LEAD_VARIABLES = [LEAD_VARIABLE, PID_VARIABLE, URL_VARIABLE, ...Object.keys(CREDENTIAL_VARIABLES)];

/** Returns a warning for each unknown `PIPIT_` variable, with the most similar known one. */
export function unknownVariables(env: Environment): string[] {
  // The main process has already warned.
  if (env[SLOT_VARIABLE] !== undefined) return [];
  const known = [...SETTING_NAMES.map(variableName), ...LEAD_VARIABLES];
  const endings = known.map((name) => name.slice(PREFIX.length));
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !name.startsWith(TEST_PREFIX) && !known.includes(name))
    .map((name) => {
      // Compare without the prefix, which would make short names look similar.
      const meant = nearest(name.slice(PREFIX.length), endings);
      const hint = meant === undefined ? '' : `; did you mean ${PREFIX}${meant}?`;
      return `warning: ${name} is not a Pipit variable${hint}`;
    });
}
