import { randomInt } from 'node:crypto';
import type { Clock } from '../core/clock.js';
import { openAuthority } from './authority.js';
import { ledEnvironment } from './environment.js';
import type { HostAndPort } from './host-and-port.js';
import { isLedHost, normalizeHost } from './hosts.js';
import { writeLeadFiles } from './lead-files.js';
import { startProxy } from './proxy.js';
import { upstreamOf } from './upstream.js';

export interface LeadOptions {
  /** The address of the server. */
  readonly pipit: HostAndPort;
  /** The environment of the programs to lead. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Other hosts that every program may reach; `*.example.com` allows all names below, `*` every host. */
  readonly allow: readonly string[];
  /** The folder of the authority. */
  readonly authorityFolder: string;
  readonly clock: Clock;
  /** Whether the hosts file leads too; see `hostsFileCommand`. Needs the right to listen on ports 80 and 443. */
  readonly hasHostsFile?: boolean;
}

/** Everything that leads programs to a server, until it is disposed of. */
export interface Lead extends AsyncDisposable {
  /** The variables of led programs. */
  readonly variables: Readonly<Record<string, string>>;
  readonly proxyUrl: string;
  /** A hosts file in which the led hosts are this machine. */
  readonly hostsFile: string;
  /** The certificate that the proxy presents, in PEM. */
  readonly serverCertificate: string;
  /** Returns how many requests to each host were refused. */
  refusals(): Promise<ReadonlyMap<string, number>>;
}

/** Starts the proxy and writes the files that the variables name. */
export async function openLead(options: LeadOptions): Promise<Lead> {
  const { pipit, env, allow, authorityFolder, clock } = options;
  // Another one for each lead, since each listens on the same ports.
  const standIn = `127.80.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const authority = await openAuthority(authorityFolder, clock);
  const files = await writeLeadFiles(authority.certificate, env, standIn);
  const refused = new Map<string, number>();
  const proxy = await startProxy({
    pipit,
    certificate: authority.server,
    allows: (host) => !isLedHost(host) && allow.some((pattern) => matches(pattern, host)),
    onRefused: (host) => countOne(refused, normalizeHost(host)),
    ...(options.hasHostsFile && { standIn }),
    upstream: upstreamOf(env['HTTPS_PROXY'] || env['https_proxy'] || env['ALL_PROXY'] || env['all_proxy']),
  }).catch(async (error: unknown) => {
    await files[Symbol.asyncDispose]();
    throw error;
  });
  return {
    variables: ledEnvironment({ env, files, proxy }),
    hostsFile: files.hosts,
    proxyUrl: `http://127.0.0.1:${proxy.port}`,
    serverCertificate: authority.server.certificate,
    refusals: async () => {
      const counts = new Map(refused);
      for (const host of await files.readRefused()) countOne(counts, host);
      return counts;
    },
    [Symbol.asyncDispose]: async () => {
      await proxy.close();
      await files[Symbol.asyncDispose]();
    },
  };
}

function matches(pattern: string, host: string): boolean {
  const name = normalizeHost(host);
  const wanted = normalizeHost(pattern);
  if (wanted === '*') return true;
  return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;
}

function countOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
