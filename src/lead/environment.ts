import { delimiter } from 'node:path';
import { ORIGINAL_HOSTS } from '../core/original-hosts.js';
import { isLedHost, normalizeHost } from './hosts.js';
import type { LeadFiles } from './lead-files.js';
import { TRUST_VARIABLES } from './trust-variables.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variable that the preloads read. */
export const LEAD_VARIABLE = 'PIPIT_LEAD';

/** The variable with the id of the process that leads in the background. */
export const PID_VARIABLE = 'PIPIT_LEAD_PID';

/** The variables that name a proxy; programs differ in which they read. */
const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** Connections to this machine never need the proxy. */
const OWN_NAMES = ['localhost', '127.0.0.1', '::1'];

export interface EnvironmentOptions {
  /** The environment that `pipit lead` runs in. */
  readonly env: Variables;
  readonly files: LeadFiles;
  readonly proxy: { readonly port: number; readonly openPort: number };
}

/** Returns the variables that lead a program: those of the preloads and those for every other program. */
export function ledEnvironment({ env, files, proxy }: EnvironmentOptions): Record<string, string> {
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  return {
    [LEAD_VARIABLE]: JSON.stringify({
      hosts: ORIGINAL_HOSTS,
      host: '127.0.0.1',
      ...proxy,
      authority: files.authority,
      refused: files.refused,
    }),
    NODE_OPTIONS: joined([`--require ${JSON.stringify(files.nodePreload)}`, env['NODE_OPTIONS']], ' '),
    PYTHONPATH: joined([files.pythonPreload, env['PYTHONPATH']], delimiter),
    ...Object.fromEntries(PROXY_VARIABLES.map((name) => [name, proxyUrl])),
    ...Object.fromEntries(['NO_PROXY', 'no_proxy'].map((name) => [name, exceptionsOf(env[name])])),
    ...Object.fromEntries(TRUST_VARIABLES.map((name) => [name, files.bundle])),
    NODE_EXTRA_CA_CERTS: files.nodeExtra,
    // libwww-perl reads the proxy's variables only with this one.
    PERL_LWP_ENV_PROXY: '1',
    // The first, empty, part stands for PHP's own folder.
    PHP_INI_SCAN_DIR: joined([env['PHP_INI_SCAN_DIR'] ?? '', files.phpFolder], delimiter, true),
    WGETRC: files.wgetrc,
  };
}

/** Adds this machine to the hosts that need no proxy, and removes what would let led hosts pass it. */
function exceptionsOf(value = ''): string {
  const kept = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !exceptsLedHost(name));
  return [...new Set([...OWN_NAMES, ...kept])].join(',');
}

function exceptsLedHost(entry: string): boolean {
  const name = normalizeHost(entry.replace(/^\*?\./, '').replace(/:\d+$/, ''));
  return name === '*' || isLedHost(name) || ORIGINAL_HOSTS.some((host) => host.endsWith(`.${name}`));
}

function joined(parts: readonly (string | undefined)[], separator: string, keepsEmpty = false): string {
  return parts.filter((part) => part !== undefined && (keepsEmpty || part !== '')).join(separator);
}
