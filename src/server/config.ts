import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { parseDatabaseUrl } from '../core/database-url.js';
import { withoutTrailingSlashes } from '../core/trailing-slashes.js';
import {
  list,
  oneOf,
  readSetting,
  single,
  toggle,
  variableName,
  type FlagOf,
  type Setting,
  type ValueOf,
} from './setting.js';

/** `standard`: as declared. A number multiplies every limit. `off`: nothing is refused. */
export type RateLimits = 'standard' | 'off' | number;

/** `off`: not measured. `public`: at `/metrics` beside everything else. Else an address of their own. */
export type MetricsPlace = 'off' | 'public' | { readonly host: string; readonly port: number };

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_DATABASE = 'sqlite:data/pipit.db';

const MAX_PORT = 65_535;

/** Ids have room for 1,024 processes, of several servers on one database together (core/snowflake.ts). */
const MAX_WORKERS = 256;

const SIZE_UNITS: Readonly<Record<string, number>> = { MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 };

/** Ten videos of the largest size. */
const DEFAULT_MEDIA_QUOTA = 5 * 1024 ** 3;

/**
 * Every setting of the server. A line here is a flag of `serve`, a variable `PIPIT_…`, its help, a row of
 * docs/configuration.md and a member of `Config`.
 */
const SETTINGS = {
  port: single<number>({
    value: 'port',
    help: 'the port to listen on; 0 takes a free one',
    initial: 8080,
    shownDefault: '8080',
    rule: `be a port from 0 to ${MAX_PORT}`,
    parse: (text) => numberWithin(text, 0, MAX_PORT),
  }),
  // Listening on an empty host would be listening everywhere.
  host: single<string>({
    value: 'host',
    help: 'the address to listen on; 0.0.0.0 or :: for every address of the machine',
    initial: '127.0.0.1',
    shownDefault: '127.0.0.1',
    rule: 'be an address or a name',
    parse: (text) => (text.trim() === '' ? undefined : text),
  }),
  database: single<string>({
    value: 'url',
    help: 'sqlite:FILE, sqlite::memory: or postgres://USER@HOST/DATABASE',
    initial: DEFAULT_DATABASE,
    shownDefault: DEFAULT_DATABASE,
    rule: 'read sqlite:FILE, sqlite::memory: or postgres://USER@HOST/DATABASE',
    mayHoldSecret: true,
    parse: (text) => parseDatabaseUrl(text) && text,
  }),
  shareDatabase: toggle('serve a SQLite file that another server serves already'),
  load: list({
    value: 'file',
    help: 'a world file to add before listening',
    rule: 'be a file',
    accepts: () => true,
  }),
  baseUrl: single<string | undefined>({
    value: 'url',
    help: 'where clients reach the server, when not at host and port',
    initial: undefined,
    rule: 'be an http or https URL without query',
    parse: parseBaseUrl,
  }),
  trustedProxy: list({
    value: 'address',
    help: 'an address or subnet whose forwarding headers are believed',
    rule: 'be an address or subnet as 10.0.0.0/8',
    accepts: isAddressOrSubnet,
  }),
  // One unless told: a second process costs as much memory again, and most machines that run Pipit never need it.
  workers: single<number>({
    value: 'number',
    help: 'processes that answer requests: a number, or auto for one a core',
    initial: 1,
    shownDefault: '1',
    rule: `be auto or a number from 1 to ${MAX_WORKERS}`,
    parse: (text) =>
      text === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : numberWithin(text, 1, MAX_WORKERS),
  }),
  rateLimits: single<RateLimits>({
    value: 'mode',
    help: 'standard, off, or a factor for every limit',
    initial: 'standard',
    shownDefault: 'standard',
    rule: 'be standard, off or a factor above 0',
    parse: parseRateLimits,
  }),
  postCap: oneOf(['standard', 'off'], 'standard', {
    value: 'mode',
    help: 'the monthly cap on posts that apps read: standard or off',
  }),
  mediaQuota: single<number>({
    value: 'size',
    help: 'what the media of one user may take on disk, as 500MB or 5GB, or off',
    initial: DEFAULT_MEDIA_QUOTA,
    shownDefault: '5GB',
    rule: 'be off or a size as 500MB or 5GB',
    parse: parseSize,
  }),
  signUp: oneOf(['closed', 'invitation', 'open'], 'closed', {
    value: 'mode',
    help: 'who may create an account in the browser: closed, invitation or open',
  }),
  strictOauth1: toggle('give OAuth 1.0a access tokens only for requests that are signed with both secrets'),
  publicPages: oneOf(['on', 'off'], 'on', {
    value: 'mode',
    help: 'on: strangers see public posts and profiles in a browser; off: they sign in first',
  }),
  durability: oneOf(['full', 'relaxed'], 'full', {
    value: 'mode',
    help: 'full: acknowledged means on disk; relaxed: a power cut may lose the last moments',
  }),
  metrics: single<MetricsPlace>({
    value: 'where',
    help: 'off; PORT or HOST:PORT of their own, on 127.0.0.1 unless HOST is named; or public, at /metrics',
    initial: 'off',
    shownDefault: 'off',
    rule: 'be off, public, PORT or HOST:PORT',
    parse: parseMetricsPlace,
  }),
  logLevel: oneOf(LOG_LEVELS, 'info', { value: 'level', help: LOG_LEVELS.join(', ') }),
  requestLog: oneOf(['off', 'refused', 'all'], 'refused', {
    value: 'which',
    help: 'requests that have a line in the log: off, refused or all',
  }),
} satisfies Readonly<Record<string, Setting>>;

type Settings = typeof SETTINGS;
export type SettingName = keyof Settings;

/** Every name in the table, in its order. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Returns one setting of the table, whatever its kind. */
export function settingNamed(name: SettingName): Setting {
  return SETTINGS[name];
}

/** How the server runs: read once, checked whole, never changed. */
export type Config = { readonly [Name in SettingName]: ValueOf<Settings[Name]> };

/** The options of `serve` as they were typed; what is absent comes from the environment or is the default. */
export type ServeFlags = { readonly [Name in SettingName]?: FlagOf<Settings[Name]> };

/** The configuration breaks a rule; every fault is listed. */
export class ConfigRefused extends Error {
  override readonly name = 'ConfigRefused';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('; '));
  }
}

/** Puts flags, environment (`PIPIT_*`) and defaults together; flags win. Throws ConfigRefused with every fault. */
export function readConfig(flags: ServeFlags, env: Environment): Config {
  const faults: string[] = [];
  const entries = SETTING_NAMES.map((name) => [name, readNamed(name, flags, env, faults)] as const);
  const config = Object.fromEntries(entries) as Config;
  if (config.workers > 1 && isInMemory(config.database))
    faults.push('a database in memory has one process: leave --workers at 1, or name a file');
  if (faults.length > 0) throw new ConfigRefused(faults);
  return Object.freeze(config);
}

/** Returns the database that a command works on. Throws ConfigRefused for what names none. */
export function readDatabase(flag: string | undefined, env: Environment): string {
  const faults: string[] = [];
  const database = readNamed('database', { database: flag }, env, faults);
  if (faults.length > 0) throw new ConfigRefused(faults);
  return database;
}

function readNamed<Name extends SettingName>(
  name: Name,
  flags: ServeFlags,
  env: Environment,
  faults: string[],
): ValueOf<Settings[Name]> {
  const given = { flag: flags[name], variable: env[variableName(name)] };
  return readSetting(name, SETTINGS[name], given, faults);
}

/** Whether a database lives and ends with one process. */
export function isInMemory(database: string): boolean {
  return parseDatabaseUrl(database)?.kind === 'memory';
}

/** Without a slash at the end. */
function parseBaseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  const isPlain = url?.search === '' && url.hash === '' && url.username === '';
  return url && isWeb && isPlain ? url.origin + withoutTrailingSlashes(url.pathname) : undefined;
}

/** In bytes. */
function parseSize(text: string): number | undefined {
  if (text === 'off') return Number.MAX_SAFE_INTEGER;
  const [, digits = '', unit = ''] = /^([0-9]{1,6})(MB|GB|TB)$/i.exec(text) ?? [];
  const factor = SIZE_UNITS[unit.toUpperCase()];
  return factor === undefined ? undefined : Number(digits) * factor;
}

function isAddressOrSubnet(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const kind = isIP(address);
  if (kind === 0 || rest.length > 0) return false;
  return prefix === undefined || numberWithin(prefix, 0, kind === 4 ? 32 : 128) !== undefined;
}

function parseRateLimits(text: string): RateLimits | undefined {
  if (text === 'standard' || text === 'off') return text;
  const factor = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : 0;
  return factor > 0 && Number.isFinite(factor) ? factor : undefined;
}

/** An address without a host is one of this machine alone: metrics tell strangers more than they should know. */
function parseMetricsPlace(text: string): MetricsPlace | undefined {
  if (text === 'off' || text === 'public') return text;
  const [, host, port = ''] = /^(?:(.+):)?([^:]+)$/.exec(text) ?? [];
  const number = numberWithin(port, 1, MAX_PORT);
  return number === undefined
    ? undefined
    : { host: host?.replace(/^\[(.*)\]$/, '$1') ?? '127.0.0.1', port: number };
}

function numberWithin(text: string, low: number, high: number): number | undefined {
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
  return number !== undefined && number >= low && number <= high ? number : undefined;
}
