import { parseDigits } from '../core/digits.js';

/** The common part of all settings, the source of flags, variables, help and the settings page. */
interface Described {
  /** The description for `--help` and docs/configuration.md. */
  readonly help: string;
  /** The default as text; absent if there is none. `single` derives it from `initial`. */
  readonly shownDefault?: string;
}

/** A setting with one value. */
export interface SingleSetting<T> extends Described {
  readonly kind: 'single';
  /** The placeholder of the value in `--help`, such as `port`. */
  readonly value: string;
  readonly initial: T;
  /** The rule for a value, such as `be a port from 0 to 65535`. */
  readonly rule: string;
  /** If true, messages do not repeat a refused value. */
  readonly mayHoldSecret?: boolean;
  /** Returns undefined for an invalid text. */
  parse(text: string): T | undefined;
}

/** A setting with any number of values: a repeatable flag, or a variable with commas. */
export interface ListSetting extends Described {
  readonly kind: 'list';
  readonly value: string;
  readonly rule: string;
  accepts(text: string): boolean;
}

/** A boolean setting: a flag without a value. */
export interface SwitchSetting extends Described {
  readonly kind: 'switch';
}

// Any setting; the parsed value keeps its own type.
export type Setting = SingleSetting<unknown> | ListSetting | SwitchSetting;

/** The type of a setting's value. */
export type ValueOf<S> =
  S extends SingleSetting<infer T> ? T : S extends ListSetting ? readonly string[] : boolean;

/** The type of a setting's flag; undefined if the flag is absent. */
export type FlagOf<S> = S extends ListSetting
  ? readonly string[]
  : S extends SwitchSetting
    ? boolean
    : string;

/** Declares a setting with one value. */
export function single<T>(setting: Omit<SingleSetting<T>, 'kind'>): SingleSetting<T> {
  const { initial } = setting;
  return { kind: 'single', shownDefault: initial === undefined ? undefined : String(initial), ...setting };
}

/** Declares a setting whose value is a whole number from 1 to `max`. */
export function count(
  max: number,
  setting: Pick<SingleSetting<number>, 'value' | 'help' | 'initial'>,
): SingleSetting<number> {
  return single<number>({
    ...setting,
    rule: `be a number from 1 to ${max}`,
    parse: (text) => parseDigits(text, 1, max),
  });
}

/** Declares a setting whose value is one of several words. */
export function oneOf<const T extends string>(
  words: readonly T[],
  initial: NoInfer<T>,
  { value, help }: { readonly value: string; readonly help: string },
): SingleSetting<T> {
  return single<T>({
    value,
    help,
    initial,
    rule: `be one of ${words.join(', ')}`,
    parse: (text) => words.find((word) => word === text),
  });
}

/** Declares a setting with any number of values. */
export function list(setting: Omit<ListSetting, 'kind'>): ListSetting {
  return { kind: 'list', ...setting };
}

/** Declares a setting that is off by default. */
export function toggle(help: string): SwitchSetting {
  return { kind: 'switch', help };
}

/** The source of a value, as named in messages. */
interface Found {
  readonly name: string;
  readonly texts: readonly string[];
}

const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  yes: true,
  on: true,
  false: false,
  0: false,
  no: false,
  off: false,
};

/** Returns the flag of a setting, such as `--trusted-proxy`. */
export function flagName(key: string): string {
  return `--${wordsOf(key).join('-')}`;
}

/** Returns the environment variable of a setting, such as `PIPIT_TRUSTED_PROXY`. */
export function variableName(key: string): string {
  return `PIPIT_${wordsOf(key).join('_').toUpperCase()}`;
}

function wordsOf(key: string): string[] {
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
}

/** Reads one setting: the flag overrides the variable, which overrides the default. Adds faults to `faults`. */
export function readSetting<S extends Setting>(
  key: string,
  setting: S,
  given: { readonly flag: string | boolean | readonly string[] | undefined; readonly variable?: string },
  faults: string[],
): ValueOf<S> {
  const { flag, variable } = given;
  const found =
    flag === undefined
      ? fromVariable(variableName(key), setting, variable)
      : { name: flagName(key), texts: typeof flag === 'object' ? flag : [String(flag)] };
  return valueOf(setting, found, faults) as ValueOf<S>;
}

/** Treats an empty variable as absent, since `VAR= command` sets an empty one in most shells. */
function fromVariable(name: string, { kind }: Setting, text: string | undefined): Found | undefined {
  if (text === undefined || text === '') return undefined;
  if (kind !== 'list') return { name, texts: [text] };
  const parts = text.split(',').map((part) => part.trim());
  return { name, texts: parts.filter((part) => part !== '') };
}

function valueOf(setting: Setting, found: Found | undefined, faults: string[]): unknown {
  const [text] = found?.texts ?? [];
  if (setting.kind === 'list') return listOf(setting, found, faults);
  if (setting.kind === 'switch') return text === undefined ? false : switchOf(found, text, faults);
  if (found === undefined || text === undefined) return setting.initial;
  const value = setting.parse(text);
  if (value === undefined)
    faults.push(`${found.name} must ${setting.rule}${setting.mayHoldSecret ? '' : `, not "${text}"`}`);
  return value ?? setting.initial;
}

function listOf(setting: ListSetting, found: Found | undefined, faults: string[]): readonly string[] {
  const texts = found?.texts ?? [];
  for (const text of texts) {
    if (!setting.accepts(text)) faults.push(`${found?.name} must ${setting.rule}, not "${text}"`);
  }
  return texts;
}

function switchOf(found: Found | undefined, text: string, faults: string[]): boolean {
  const value = SWITCH_WORDS[text.toLowerCase()];
  if (value === undefined) faults.push(`${found?.name} must be one of true, false, not "${text}"`);
  return value ?? false;
}
