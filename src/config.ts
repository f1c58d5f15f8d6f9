import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';

/** `standard`: as declared. A number multiplies every limit. `off`: nothing is refused. */
export type RateLimits = 'standard' | 'off' | number;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `off`: not measured. `public`: at `/metrics` beside everything else. Else an address of their own. */
export type MetricsPlace = 'off' | 'public' | { readonly host: string; readonly port: number };

/** How the server runs: read once, checked whole, never changed. */
export interface Config {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** `sqlite:FILE`, `sqlite::memory:`, `postgres://…` */
  readonly database: string;
  /** World files to load before listening. */
  readonly load: readonly string[];
  /** Where clients reach the server, without a slash at the end; absent: at host and port. */
  readonly baseUrl?: string;
  /** Addresses or subnets whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Processes that answer requests. */
  readonly workers: number;
  readonly rateLimits: RateLimits;
  readonly postCap: 'standard' | 'off';
  /** Who may make an account in the browser. */
  readonly signUp: 'closed' | 'invitation' | 'open';
  readonly durability: 'full' | 'relaxed';
  readonly logLevel: LogLevel;
  readonly metrics: MetricsPlace;
}

/** The options of `serve` as they were typed; what is absent comes from the environment or is the default. */
export interface ServeFlags {
  readonly port?: string;
  readonly host?: string;
  readonly database?: string;
  readonly load?: readonly string[];
  readonly baseUrl?: string;
  readonly trustedProxy?: readonly string[];
  readonly workers?: string;
  readonly rateLimits?: string;
  readonly postCap?: string;
  readonly signUp?: string;
  readonly durability?: string;
  readonly logLevel?: string;
  readonly metrics?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export const DEFAULT_DATABASE = 'sqlite:data/pipit.db';

/** The configuration breaks a rule; every fault is listed. */
export class ConfigRefused extends Error {
  override readonly name = 'ConfigRefused';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('; '));
  }
}

/** One setting as it was found: its text and, for messages, where. */
interface Found {
  readonly text: string;
  readonly name: string;
}

const MAX_PORT = 65_535;

/** Ids have room for 1,024 processes, of several servers on one database together (core/snowflake.ts). */
const MAX_WORKERS = 256;

/** Puts flags, environment (`PIPIT_*`) and defaults together; flags win. Throws ConfigRefused with every fault. */
export function readConfig(flags: ServeFlags, env: Environment): Config {
  const faults: string[] = [];
  const find = (key: keyof ServeFlags): Found | undefined => findSetting(flags, env, key);
  const choose = <const T extends string>(key: keyof ServeFlags, values: readonly T[], fallback: T): T => {
    const found = find(key);
    const value = values.find((candidate) => candidate === found?.text);
    if (found && value === undefined)
      faults.push(`${found.name} must be one of ${values.join(', ')}, not "${found.text}"`);
    return value ?? fallback;
  };
  const config: Config = {
    host: readHost(find('host'), faults),
    port: readPort(find('port'), faults),
    database: checkDatabase(find('database'), faults),
    load: flags.load ?? listFrom(env['PIPIT_LOAD']),
    baseUrl: readBaseUrl(find('baseUrl'), faults),
    trustedProxies: readProxies(flags.trustedProxy ?? listFrom(env['PIPIT_TRUSTED_PROXY']), faults),
    workers: readWorkers(find('workers'), faults),
    rateLimits: readRateLimits(find('rateLimits'), faults),
    postCap: choose('postCap', ['standard', 'off'], 'standard'),
    signUp: choose('signUp', ['closed', 'invitation', 'open'], 'closed'),
    durability: choose('durability', ['full', 'relaxed'], 'full'),
    logLevel: choose('logLevel', LOG_LEVELS, 'info'),
    metrics: readMetrics(find('metrics'), faults),
  };
  if (config.workers > 1 && isInMemory(config.database))
    faults.push('a database in memory has one process: leave --workers at 1, or name a file');
  if (faults.length > 0) throw new ConfigRefused(faults);
  return Object.freeze(config);
}

/** The database that a command works on. Throws ConfigRefused for what names none. */
export function readDatabase(flag: string | undefined, env: Environment): string {
  const faults: string[] = [];
  const database = checkDatabase(findSetting({ database: flag }, env, 'database'), faults);
  if (faults.length > 0) throw new ConfigRefused(faults);
  return database;
}

function checkDatabase(found: Found | undefined, faults: string[]): string {
  if (!found) return DEFAULT_DATABASE;
  const file = /^sqlite:(?:\/\/)?(.*)$/is.exec(found.text)?.[1];
  const isServer = /^postgres(?:ql)?:\/\//i.test(found.text) && URL.canParse(found.text);
  // Not repeated: it may hold a password.
  if (!file && !isServer)
    faults.push(`${found.name} must read sqlite:FILE, sqlite::memory: or postgres://USER@HOST/DATABASE`);
  return found.text;
}

/** Whether a database lives and ends with one process. */
export function isInMemory(database: string): boolean {
  return /^sqlite:(\/\/)?:memory:$/i.test(database);
}

function findSetting(flags: ServeFlags, env: Environment, key: keyof ServeFlags): Found | undefined {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
  const flag = flags[key];
  if (typeof flag === 'string') return { text: flag, name: `--${words.replaceAll(' ', '-')}` };
  const variable = `PIPIT_${words.replaceAll(' ', '_').toUpperCase()}`;
  const text = nonEmpty(env[variable]);
  return text === undefined ? undefined : { text, name: variable };
}

/** Listening on an empty host would be listening everywhere. */
function readHost(found: Found | undefined, faults: string[]): string {
  if (!found) return '127.0.0.1';
  if (found.text.trim() === '')
    faults.push(`${found.name} must be an address or a name, not "${found.text}"`);
  return found.text;
}

function readPort(found: Found | undefined, faults: string[]): number {
  if (!found) return 8080;
  const port = wholeNumber(found.text);
  if (port !== undefined && port <= MAX_PORT) return port;
  faults.push(`${found.name} must be a port from 0 to ${MAX_PORT}, not "${found.text}"`);
  return 0;
}

function readBaseUrl(found: Found | undefined, faults: string[]): string | undefined {
  if (!found) return undefined;
  const url = URL.canParse(found.text) ? new URL(found.text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url && isWeb && url.search === '' && url.hash === '' && url.username === '')
    return url.origin + url.pathname.replace(/\/+$/, '');
  faults.push(`${found.name} must be an http or https URL without query, not "${found.text}"`);
  return undefined;
}

function readProxies(proxies: readonly string[], faults: string[]): readonly string[] {
  for (const proxy of proxies) {
    if (!isAddressOrSubnet(proxy))
      faults.push(`--trusted-proxy must be an address or subnet as 10.0.0.0/8, not "${proxy}"`);
  }
  return proxies;
}

function isAddressOrSubnet(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const kind = isIP(address);
  if (kind === 0 || rest.length > 0) return false;
  const bits = prefix === undefined ? 0 : wholeNumber(prefix);
  return bits !== undefined && bits <= (kind === 4 ? 32 : 128);
}

/** One unless told: a second process costs as much memory again, and most machines that run Pipit never need it. */
function readWorkers(found: Found | undefined, faults: string[]): number {
  if (!found) return 1;
  if (found.text === 'auto') return Math.min(availableParallelism(), MAX_WORKERS);
  const workers = wholeNumber(found.text);
  if (workers !== undefined && workers >= 1 && workers <= MAX_WORKERS) return workers;
  faults.push(`${found.name} must be auto or a number from 1 to ${MAX_WORKERS}, not "${found.text}"`);
  return 1;
}

function readRateLimits(found: Found | undefined, faults: string[]): RateLimits {
  if (!found || found.text === 'standard') return 'standard';
  if (found.text === 'off') return 'off';
  const factor = /^[0-9]+(\.[0-9]+)?$/.test(found.text) ? Number(found.text) : 0;
  if (factor > 0 && Number.isFinite(factor)) return factor;
  faults.push(`${found.name} must be standard, off or a factor above 0, not "${found.text}"`);
  return 'standard';
}

/** An address without a host is one of this machine alone: metrics tell strangers more than they should know. */
function readMetrics(found: Found | undefined, faults: string[]): MetricsPlace {
  if (!found || found.text === 'off') return 'off';
  if (found.text === 'public') return 'public';
  const [, host, port = ''] = /^(?:(.+):)?([^:]+)$/.exec(found.text) ?? [];
  const number = wholeNumber(port);
  if (number !== undefined && number > 0 && number <= MAX_PORT)
    return { host: host?.replace(/^\[(.*)\]$/, '$1') ?? '127.0.0.1', port: number };
  faults.push(`${found.name} must be off, public, PORT or HOST:PORT, not "${found.text}"`);
  return 'off';
}

/** Several values in one environment variable are separated by commas. */
function listFrom(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function wholeNumber(text: string): number | undefined {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

/** An empty variable is an absent one, as in most shells' `VAR= command`. */
function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
