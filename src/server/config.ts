import { MAX_RULE_LENGTH } from '../core/limits.js';
import { parseDigits } from '../core/digits.js';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { DEFAULT_CACHE_BYTES } from '../database/caches.js';
import { parseDatabaseUrl } from '../database/database-url.js';
import { isLoopback } from '../core/loopback.js';
import { withoutTrailingSlashes } from '../core/trailing-slashes.js';
import {
  count,
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
import { NamedError } from '../core/named-error.js';
import { parseNamedTarget } from '../services/webhooks/outgoing/named-target.js';

/** `standard`: as declared. A number multiplies every limit. `off`: no limits. */
export type RateLimits = 'standard' | 'off' | number;

/** `off`: no metrics. `public`: `/metrics` on the server's own port. Otherwise a separate address. */
export type MetricsPlace = 'off' | 'public' | { readonly host: string; readonly port: number };

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

const MAX_PORT = 65_535;

/** Snowflakes have room for 1,024 processes across all servers on one database (core/snowflake.ts). */
const MAX_WORKERS = 256;

const MIB = 1024 ** 2;
const MAX_CACHE_MB = 65_536;

const HOUR_MS = 3_600_000;
const MAX_HOURS = 365 * 24;

const SIZE_UNITS: Readonly<Record<string, number>> = { MB: MIB, GB: 1024 ** 3, TB: 1024 ** 4 };

/** The most rules that X offers; more would make a stream's start slow. */
const MAX_STREAM_RULES = 25_000;
const MAX_STREAM_CONNECTIONS = 1_000;
/** The most subscriptions to activity that X offers. */
const MAX_ACTIVITY_SUBSCRIPTIONS = 150_000;
/** 32 bits, as random generators take. */
export const MAX_SEED = 2 ** 32 - 1;
const MAX_GRACE_SECONDS = 3_600;

/** Ten videos of the maximum size. */
const DEFAULT_MEDIA_QUOTA = 5 * 1024 ** 3;

/**
 * Every setting of the server. Each entry defines a flag of `serve`, a variable `PIPIT_…`, its help, a row of
 * docs/configuration.md and a member of `Config`.
 */
const SETTINGS = {
  port: single<number>({
    value: 'port',
    help: 'the port to listen on; 0 chooses a free port',
    initial: 8080,
    rule: `be a port from 0 to ${MAX_PORT}`,
    parse: (text) => parseDigits(text, 0, MAX_PORT),
  }),
  // An empty host would listen on all addresses.
  host: single<string>({
    value: 'host',
    help: 'the address to listen on; 0.0.0.0 or :: for all addresses',
    initial: '127.0.0.1',
    rule: 'be an address or a name',
    parse: (text) => (text.trim() === '' ? undefined : text),
  }),
  database: single<string>({
    value: 'url',
    help: 'sqlite:FILE, sqlite::memory: or postgres://USER@HOST/DATABASE',
    initial: 'sqlite:data/pipit.db',
    rule: 'read sqlite:FILE, sqlite::memory: or postgres://USER@HOST/DATABASE',
    mayHoldSecret: true,
    parse: (text) => parseDatabaseUrl(text) && text,
  }),
  shareDatabase: toggle('serve a SQLite file that another server already serves'),
  load: list({
    value: 'file',
    help: 'a world file to load before listening, or demo',
    rule: 'be a file',
    accepts: () => true,
  }),
  baseUrl: single<string | undefined>({
    value: 'url',
    help: 'the public URL of the server, if it differs from host and port',
    initial: undefined,
    rule: 'be an http or https URL without query',
    parse: parseBaseUrl,
  }),
  trustedProxy: list({
    value: 'address',
    help: 'an address or subnet whose forwarding headers are trusted',
    rule: 'be an address or subnet such as 10.0.0.0/8',
    accepts: isAddressOrSubnet,
  }),
  // Default 1: each process needs as much memory again, and most installations do not need a second one.
  workers: single<number>({
    value: 'number',
    help: 'the number of worker processes, or auto for one per core',
    initial: 1,
    rule: `be auto or a number from 1 to ${MAX_WORKERS}`,
    parse: (text) =>
      text === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : parseDigits(text, 1, MAX_WORKERS),
  }),
  cacheMb: count(MAX_CACHE_MB, {
    value: 'megabytes',
    help: 'the memory for the caches of each process',
    initial: DEFAULT_CACHE_BYTES / MIB,
  }),
  rateLimits: single<RateLimits>({
    value: 'mode',
    help: 'standard, off, or a factor for all limits',
    initial: 'standard',
    rule: 'be standard, off or a factor above 0',
    parse: parseRateLimits,
  }),
  postCap: oneOf(['standard', 'off'], 'standard', {
    value: 'mode',
    help: 'the monthly cap on posts read by apps: standard or off',
  }),
  mediaQuota: single<number>({
    value: 'size',
    help: 'the disk space for the media of one user, such as 500MB or 5GB, or off',
    initial: DEFAULT_MEDIA_QUOTA,
    shownDefault: '5GB',
    rule: 'be off or a size such as 500MB or 5GB',
    parse: parseSize,
  }),
  streamRules: count(MAX_STREAM_RULES, {
    value: 'number',
    help: 'the most rules of the filtered stream for one app',
    initial: 1_000,
  }),
  streamRuleLength: count(MAX_RULE_LENGTH, {
    value: 'characters',
    help: 'the most characters of such a rule',
    initial: 1_024,
  }),
  streamConnections: count(MAX_STREAM_CONNECTIONS, {
    value: 'number',
    help: 'the most connections of one app to a stream, or to each partition of it',
    initial: 1,
  }),
  streamBuffer: single<number>({
    value: 'size',
    help: 'how much may wait for a client of a stream that reads too slowly, such as 1MB',
    initial: 4 * MIB,
    shownDefault: '4MB',
    rule: 'be a size such as 1MB',
    parse: (text) => (text === 'off' ? undefined : parseSize(text)),
  }),
  streamGrace: count(MAX_GRACE_SECONDS, {
    value: 'seconds',
    help: 'how long the streams of a process that died count as open',
    initial: 30,
  }),
  activitySubscriptions: count(MAX_ACTIVITY_SUBSCRIPTIONS, {
    value: 'number',
    help: 'the most subscriptions to activity for one app',
    initial: 1_500,
  }),
  webhooksTo: list({
    value: 'host',
    help: 'a host, address or subnet, with or without :port, that webhooks may use besides public https',
    rule: 'be a host, an address or a subnet such as 10.0.0.0/8, with or without :port',
    accepts: (text) => parseNamedTarget(text) !== undefined,
  }),
  signUp: oneOf(['closed', 'invitation', 'open'], 'closed', {
    value: 'mode',
    help: 'sign-up in the browser: closed, by invitation or open to everyone',
  }),
  strictOauth1: toggle('issue OAuth 1.0a access tokens only for requests signed with both secrets'),
  consent: oneOf(['ask', 'auto'], 'ask', {
    value: 'mode',
    help: 'ask: users decide about apps; auto: requests with a loopback redirect URI are granted at once, for tests',
  }),
  publicPages: oneOf(['on', 'off'], 'on', {
    value: 'mode',
    help: 'on: anyone can view public posts and profiles in a browser; off: visitors must sign in',
  }),
  sandbox: toggle(
    'serve a sandbox for tests, whose time and state clients control; its database is in memory by default',
  ),
  sandboxKey: single<string | undefined>({
    value: 'key',
    help: 'the key that clients send to control the sandbox; required on an address that is not loopback',
    initial: undefined,
    rule: 'be 16 to 200 visible ASCII characters',
    mayHoldSecret: true,
    parse: (text) => (/^[!-~]{16,200}$/.test(text) ? text : undefined),
  }),
  sandboxSeed: single<number | undefined>({
    value: 'number',
    help: 'freeze the clock of the sandbox and give the same ids and times at each run',
    initial: undefined,
    rule: `be a number from 0 to ${MAX_SEED}`,
    parse: (text) => parseDigits(text, 0, MAX_SEED),
  }),
  durability: oneOf(['full', 'relaxed'], 'full', {
    value: 'mode',
    help: 'full: acknowledged writes are on disk; relaxed: a power failure may lose the latest writes',
  }),
  feedRetention: single<number>({
    value: 'duration',
    help: 'how long the feed of changes is kept for streams and webhooks, such as 36h or 7d',
    initial: 24 * HOUR_MS,
    shownDefault: '24h',
    rule: 'be a duration from 1h to 365d',
    parse: parseDuration,
  }),
  metrics: single<MetricsPlace>({
    value: 'where',
    help: 'off; PORT or HOST:PORT for a separate listener (default host 127.0.0.1); or public, at /metrics',
    initial: 'off',
    rule: 'be off, public, PORT or HOST:PORT',
    parse: parseMetricsPlace,
  }),
  logLevel: oneOf(LOG_LEVELS, 'info', { value: 'level', help: LOG_LEVELS.join(', ') }),
  requestLog: oneOf(['off', 'refused', 'all'], 'refused', {
    value: 'which',
    help: 'the requests to log: off, refused or all',
  }),
} satisfies Readonly<Record<string, Setting>>;

type Settings = typeof SETTINGS;
export type SettingName = keyof Settings;

/** The names of all settings, in the order of the table. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Returns one setting of the table. */
export function settingNamed(name: SettingName): Setting {
  return SETTINGS[name];
}

/** The validated, immutable configuration of the server. */
export type Config = { readonly [Name in SettingName]: ValueOf<Settings[Name]> };

/** The options of `serve` as typed; the environment or the default applies to absent ones. */
export type ServeFlags = { readonly [Name in SettingName]?: FlagOf<Settings[Name]> };

/** Thrown for an invalid configuration; lists every fault. */
export class ConfigRefused extends NamedError {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('; '));
  }
}

/**
 * Combines flags, environment (`PIPIT_*`) and defaults, in this order of precedence. Throws ConfigRefused with every
 * fault.
 */
export function readConfig(flags: ServeFlags, env: Environment): Config {
  const faults: string[] = [];
  const entries = SETTING_NAMES.map((name) => [name, readNamed(name, flags, env, faults)] as const);
  const read = Object.fromEntries(entries) as Config;
  const isGiven = (flags.database ?? (env[variableName('database')] || undefined)) !== undefined;
  // What tests do must not reach the database that a server would use by default.
  const config = read.sandbox && !isGiven ? { ...read, database: 'sqlite::memory:' } : read;
  faults.push(...sandboxFaults(config), ...consentFaults(config));
  if (!config.sandbox && config.workers > 1 && isInMemory(config.database))
    faults.push('an in-memory database supports one process: leave --workers at 1, or name a file');
  if (faults.length > 0) throw new ConfigRefused(faults);
  return Object.freeze(config);
}

function consentFaults({ consent, host, baseUrl }: Config): string[] {
  const isLocal = isLoopback(host) && (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname));
  return consent === 'ask' || isLocal
    ? []
    : ['--consent auto grants every request: listen on 127.0.0.1, and leave out a public --base-url'];
}

function sandboxFaults({ sandbox, sandboxKey, sandboxSeed, host, workers }: Config): string[] {
  if (!sandbox) {
    return sandboxKey === undefined && sandboxSeed === undefined
      ? []
      : ['--sandbox-key and --sandbox-seed need --sandbox'];
  }
  return [
    ...(workers > 1 ? ['a sandbox supports one process: leave --workers at 1'] : []),
    ...(isLoopback(host) || sandboxKey !== undefined
      ? []
      : [`a sandbox on ${host} could be controlled by everyone: add --sandbox-key, or listen on 127.0.0.1`]),
  ];
}

/** Returns the database URL for a command. Throws ConfigRefused for an invalid one. */
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

/** Returns true if the database exists only in the memory of one process. */
export function isInMemory(database: string): boolean {
  return parseDatabaseUrl(database)?.kind === 'memory';
}

/** Returns the URL without trailing slashes. */
function parseBaseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  const isPlain = url?.search === '' && url.hash === '' && url.username === '';
  return url && isWeb && isPlain ? url.origin + withoutTrailingSlashes(url.pathname) : undefined;
}

/** Returns the size in bytes. */
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
  return prefix === undefined || parseDigits(prefix, 0, kind === 4 ? 32 : 128) !== undefined;
}

function parseRateLimits(text: string): RateLimits | undefined {
  if (text === 'standard' || text === 'off') return text;
  const factor = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : 0;
  return factor > 0 && Number.isFinite(factor) ? factor : undefined;
}

/** Parses a number of hours or days, such as `36h` or `7d`. */
function parseDuration(text: string): number | undefined {
  const [, digits = '', unit] = /^([0-9]{1,4})([hd])$/.exec(text) ?? [];
  const hours = Number(digits) * (unit === 'd' ? 24 : 1);
  return hours >= 1 && hours <= MAX_HOURS ? hours * HOUR_MS : undefined;
}

/** Parses the address for metrics. The host defaults to loopback, since metrics disclose internal information. */
function parseMetricsPlace(text: string): MetricsPlace | undefined {
  if (text === 'off' || text === 'public') return text;
  const [, host, port = ''] = /^(?:(.+):)?([^:]+)$/.exec(text) ?? [];
  const number = parseDigits(port, 1, MAX_PORT);
  return number === undefined
    ? undefined
    : { host: host?.replace(/^\[(.*)\]$/, '$1') ?? '127.0.0.1', port: number };
}
