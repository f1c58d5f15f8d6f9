import type { HostAndPort } from '../lead/host-and-port.js';
import { openTunnel } from '../lead/upstream.js';
import { isLedHost } from '../lead/hosts.js';
import { credentialsOf, URL_VARIABLE } from '../lead/credentials.js';
import { readConfig } from '../server/config.js';
import { CommandRefused, type CommandIo } from './command.js';

/** The server that programs are led to. */
export interface LeadServer extends AsyncDisposable {
  readonly url: string;
  readonly address: HostAndPort;
  /** Variables with its address and its credentials. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Uses a running server. Throws CommandRefused if none listens there, or if no server of Pipit can have the address. */
export async function useServer(text: string): Promise<LeadServer> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' || url.pathname !== '/' || url.search !== '') {
    throw new CommandRefused(
      `--url must be an http URL without path, such as http://127.0.0.1:8080, not "${text}"`,
      2,
    );
  }
  if (isLedHost(url.hostname)) throw new CommandRefused(`--url names a host of X: ${url.hostname}`, 2);
  const address = { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || 80) };
  await requireListener(address, url.origin);
  return {
    url: url.origin,
    address,
    variables: { [URL_VARIABLE]: url.origin },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function requireListener(address: HostAndPort, url: string): Promise<void> {
  try {
    const socket = await openTunnel(address, undefined);
    socket.destroy();
  } catch {
    throw new CommandRefused(`no server answers at ${url}`);
  }
}

/** Starts a sandbox in memory with world files. Settings of `serve` apply from the environment. */
export async function startServer(
  io: CommandIo,
  worlds: readonly string[],
  isVerbose: boolean,
): Promise<LeadServer> {
  const config = readConfig(
    {
      sandbox: true,
      database: 'sqlite::memory:',
      host: '127.0.0.1',
      port: '0',
      workers: '1',
      load: worlds,
      logLevel: io.env['PIPIT_LOG_LEVEL'] || (isVerbose ? 'info' : 'silent'),
    },
    io.env,
  );
  const { readWorldFile, requireWorldFiles } = await import('../world/world-file.js');
  const { createLog } = await import('../server/log.js');
  const { startSandbox } = await import('../sandbox/start-sandbox.js');
  await requireWorldFiles(worlds);
  const credentials = await Promise.all(worlds.map(async (file) => credentialsOf(await readWorldFile(file))));
  const sandbox = await startSandbox(config, { log: createLog(config.logLevel) });
  return {
    url: sandbox.url,
    address: { host: config.host, port: sandbox.port },
    variables: Object.assign({ [URL_VARIABLE]: sandbox.url }, ...credentials.toReversed()) as Record<
      string,
      string
    >,
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}
