import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { ORIGINAL_HOSTS } from '../core/original-hosts.js';
import { createWorkingFolder } from '../database/working-folder.js';
import { TRUST_VARIABLES } from './trust-variables.js';

/** The files that the variables of a led program name, in a temporary folder. */
export interface LeadFiles extends AsyncDisposable {
  /** The authority's certificate. A copy, since another `pipit lead` may replace the authority. */
  readonly authority: string;
  /** The authorities that the program trusts, and this one. */
  readonly bundle: string;
  /** The authorities that Node trusts besides its own. */
  readonly nodeExtra: string;
  /** Where preloads add a line with the host of each refused connection. */
  readonly refused: string;
  readonly phpFolder: string;
  readonly wgetrc: string;
  /** The system's hosts file, in which the led hosts are this machine. */
  readonly hosts: string;
  readonly nodePreload: string;
  /** The folder of the preload for Python. */
  readonly pythonPreload: string;
  /** Returns the hosts of connections that preloads refused. */
  readRefused(): Promise<readonly string[]>;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Where systems keep the authorities that they trust. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * Writes the files for an authority, with its certificate in PEM. `standIn` is the address of the led hosts in the hosts
 * file.
 */
export async function writeLeadFiles(
  certificate: string,
  env: Variables,
  standIn: string,
): Promise<LeadFiles> {
  const folder = await createWorkingFolder(join(tmpdir(), 'pipit-lead-'));
  const file = (name: string) => join(folder.path, name);
  const bundle = file('bundle.pem');
  const nodeExtra = file('node-extra.pem');
  const refused = file('refused');
  await mkdir(file('php'));
  await Promise.all([
    writeFile(file('authority.pem'), certificate),
    writeFile(bundle, `${await trustedBy(env)}\n${certificate}`),
    writeFile(nodeExtra, `${await readNamed(env['NODE_EXTRA_CA_CERTS'])}\n${certificate}`),
    writeFile(refused, ''),
    writeFile(file('hosts'), `${hostsLines(standIn)}${await readNamed('/etc/hosts')}`),
    writeFile(join(file('php'), 'pipit-lead.ini'), `curl.cainfo="${bundle}"\nopenssl.cafile="${bundle}"\n`),
    writeFile(file('wgetrc'), `${await wgetSettings(env)}\nca_certificate = ${bundle}\n`),
  ]);
  return {
    authority: file('authority.pem'),
    bundle,
    nodeExtra,
    refused,
    phpFolder: file('php'),
    wgetrc: file('wgetrc'),
    hosts: file('hosts'),
    nodePreload: fileURLToPath(new URL('./lead-node.cjs', import.meta.url)),
    pythonPreload: fileURLToPath(new URL('./python-preload', import.meta.url)),
    readRefused: async () => (await readFile(refused, 'utf8')).split('\n').filter((line) => line !== ''),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

/** Returns the authorities that programs trust so far, in PEM. */
async function trustedBy(env: Variables): Promise<string> {
  const own = await Promise.all(TRUST_VARIABLES.map((name) => readNamed(env[name])));
  const named = [...new Set(own.filter((content) => content !== ''))];
  if (named.length > 0) return named.join('\n');
  for (const file of SYSTEM_BUNDLES) {
    const content = await readNamed(file);
    if (content !== '') return content;
  }
  return rootCertificates.join('\n');
}

/** Returns the content of a file; empty if there is none, or a folder. */
async function readNamed(file: string | undefined): Promise<string> {
  return file ? readFile(file, 'utf8').catch(() => '') : '';
}

/** Returns the user's settings of wget, which the variable would hide. */
async function wgetSettings(env: Variables): Promise<string> {
  return readNamed(env['WGETRC'] || join(homedir(), '.wgetrc'));
}

/** Lookups of IPv6 addresses alone find the mapped address (RFC 4291 2.5.5.2), and so ask no other server. */
function hostsLines(standIn: string): string {
  return [standIn, `::ffff:${standIn}`].map((address) => `${address} ${ORIGINAL_HOSTS.join(' ')}\n`).join('');
}
