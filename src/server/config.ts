import { MAX_RULE_LENGTH } from '../core/limits.js';
import { parseDigits } from '../core/digits.js';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { DEFAULT_CACHE_BYTES } from '../database/caches.js';
import { parseDatabaseUrl } from '../database/database-url.js';
import { isLoopback } from '../core/loopback.js';
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
import {
  HOUR_MS,
  isAddressOrSubnet,
  MAX_PORT,
  MIB,
  parseBaseUrl,
  parseDuration,
  parseRateLimits,
  parseSize,
  type RateLimits,
} from './setting-texts.js';
import { backupFaults, BACKUP_SETTINGS } from './backup-settings.js';
import { WATCHING_SETTINGS } from './watching-settings.js';
import { NamedError } from '../core/named-error.js';
import { parseKey, type KeyPlace } from '../services/secrets/key-text.js';
import { parseMediaPlace, type MediaPlace } from '../stores/blobs/media-place.js';
import { parseNamedTarget } from '../services/webhooks/outgoing/named-target.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

/** Snowflakes have room for 1,024 processes across all servers on one database (core/snowflake.ts). */
const MAX_WORKERS = 256;

const MAX_CACHE_MB = 65_536;

/** The most rules that X offers; more would make a stream's start slow. */
const MAX_STREAM_RULES = 25_000;
const MAX_STREAM_CONNECTIONS = 1_000;
/** The most subscriptions to activity that X offers. */
const MAX_ACTIVITY_SUBSCRIPTIONS = 150_000;
/** 32 bits, as random generators take. */
export const MAX_SEED = 2 ** 32 - 1;
const MAX_GRACE_SECONDS = 3_600;
/** Workers that need longer to stop are killed (server/workers/worker-pool.ts). */
const MAX_DRAIN_DELAY = 20;

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
  keyFile: single<string | undefined>({
    value: 'file',
    help: 'the file with the key of stored secrets (default pipit.key beside the database)',
    initial: undefined,
    rule: 'be a file',
    parse: (text) => (text.trim() === '' ? undefined : resolve(text)),
  }),
  key: single<Buffer | undefined>({
    value: 'key',
    help: 'the key itself, 32 bytes in hexadecimal or base64; use the variable, because options are visible to other users',
    initial: undefined,
    rule: 'be 32 bytes in hexadecimal or base64',
    mayHoldSecret: true,
    parse: parseKey,
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
  media: single<MediaPlace | undefined>({
    value: 'place',
    help: 'the folder of media files (default media/ beside the database), or s3://BUCKET/PREFIX?endpoint=URL&region=REGION',
    initial: undefined,
    rule: 'be a folder or s3://BUCKET/PREFIX?endpoint=URL&region=REGION, without credentials',
    mayHoldSecret: true,
    parse: parseMediaPlace,
  }),
  mediaLinks: oneOf(['served', 'signed'], 'served', {
    value: 'mode',
    help: 'served: media pass through the server; signed: the server refers clients to the object store, with links for minutes',
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
  drainDelay: single<number>({
    value: 'seconds',
    help: 'how long a server that stops still accepts requests while /readyz is 503, so that a balancer can leave it',
    initial: 0,
    rule: `be a number from 0 to ${MAX_DRAIN_DELAY}`,
    parse: (text) => parseDigits(text, 0, MAX_DRAIN_DELAY),
  }),
  ...BACKUP_SETTINGS,
  ...WATCHING_SETTINGS,
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
  const otlp = read.otlp ?? parseBaseUrl(env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '');
  const database = read.sandbox && !isGiven ? 'sqlite::memory:' : read.database;
  const config = { ...read, otlp, database };
  faults.push(
    ...sandboxFaults(config),
    ...consentFaults(config),
    ...keyFaults(config),
    ...mediaFaults(config),
    ...backupFaults(config),
  );
  if (!config.sandbox && config.workers > 1 && isInMemory(config.database))
    faults.push('an in-memory database supports one process: leave --workers at 1, or name a file');
  if (faults.length > 0) throw new ConfigRefused(faults);
  return Object.freeze(config);
}

function mediaFaults({ media, mediaLinks }: Config): string[] {
  return mediaLinks === 'served' || media?.kind === 's3' ? [] : ['--media-links signed needs --media s3://…'];
}

function keyFaults({ keyFile, key }: Pick<Config, 'keyFile' | 'key'>): string[] {
  return keyFile === undefined || key === undefined
    ? []
    : ['name the key once: by --key-file or by PIPIT_KEY'];
}

/** Returns where the key of stored secrets is; undefined for the default. */
export function keyPlaceOf({ keyFile, key }: Pick<Config, 'keyFile' | 'key'>): KeyPlace | undefined {
  if (key !== undefined) return { kind: 'given', key };
  return keyFile === undefined ? undefined : { kind: 'file', file: keyFile };
}

function consentFaults({ consent, host, baseUrl }: Config): string[] {
  const isLocal = isLoopback(host) && (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname));
  return consent === 'ask' || isLocal
    ? []
    : ['--consent auto grants every request: listen on 127.0.0.1, and leave out a public --base-url'];
}

function sandboxFaults({ sandbox, sandboxKey, sandboxSeed, host, workers, media }: Config): string[] {
  if (!sandbox) {
    return sandboxKey === undefined && sandboxSeed === undefined
      ? []
      : ['--sandbox-key and --sandbox-seed need --sandbox'];
  }
  return [
    ...(media === undefined ? [] : ['a sandbox keeps its media with its state: leave out --media']),
    ...(workers > 1 ? ['a sandbox supports one process: leave --workers at 1'] : []),
    ...(isLoopback(host) || sandboxKey !== undefined
      ? []
      : [`a sandbox on ${host} could be controlled by everyone: add --sandbox-key, or listen on 127.0.0.1`]),
  ];
}

/** Returns one setting for a command. Throws ConfigRefused for an invalid one. */
export function readOne<Name extends SettingName>(
  name: Name,
  flag: ServeFlags[Name],
  env: Environment,
): ValueOf<Settings[Name]> {
  const faults: string[] = [];
  const value = readNamed(name, { [name]: flag }, env, faults);
  if (faults.length > 0) throw new ConfigRefused(faults);
  return value;
}

/** Returns the database URL for a command. Throws ConfigRefused for an invalid one. */
export function readDatabase(flag: string | undefined, env: Environment): string {
  return readOne('database', flag, env);
}

/** Returns where a command finds the key; undefined for the default. Throws ConfigRefused for an invalid setting. */
export function readKeyPlace(flag: string | undefined, env: Environment): KeyPlace | undefined {
  const faults: string[] = [];
  const keyFile = readNamed('keyFile', { keyFile: flag }, env, faults);
  const key = readNamed('key', {}, env, faults);
  faults.push(...keyFaults({ keyFile, key }));
  if (faults.length > 0) throw new ConfigRefused(faults);
  return keyPlaceOf({ keyFile, key });
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
