import { lookup, Resolver } from 'node:dns/promises';
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { hostOf, isNamedAddress, isNamedHost, type Destination, type NamedTarget } from './named-target.js';
import { isPublicAddress } from './public-address.js';

/** A request to an address that a user chose. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came back. `error` is a sentence for the owner of the URL; it holds nothing about this server's network. */
export type OutgoingAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The first 64 kB. */
      readonly body: Buffer;
      /** False if there was more, or if it did not arrive in time. */
      readonly isWhole: boolean;
    }
  | { readonly kind: 'refused' | 'tls' | 'failed'; readonly error: string };

/** Sends a request. Never rejects. */
export type Outgoing = (request: OutgoingRequest) => Promise<OutgoingAnswer>;

/** Returns the addresses of a host. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

interface OutgoingOptions {
  /** What may be reached although it is not public. */
  readonly targets: readonly NamedTarget[];
  /** The time for everything, from the name to the last byte; 10 s by default. */
  readonly limitMs?: number;
  /** Ends all requests at once, as if their time were over. */
  readonly abandoned?: AbortSignal;
  /** Certificates to trust instead of the usual ones, for tests. */
  readonly ca?: string;
  /** How the names of public hosts are resolved; by default by DNS. */
  readonly resolve?: Resolve;
}

const LIMIT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Creates the function for requests to addresses that users choose (docs/design/webhooks.md#outgoing-requests). They
 * reach public hosts by https without a port, and what `targets` name. The name is resolved once, every address is
 * checked, and the connection is made to these addresses. Redirects are answers like others.
 */
export function createOutgoing({
  targets,
  limitMs = LIMIT_MS,
  abandoned,
  ca,
  resolve = byDns,
}: OutgoingOptions): Outgoing {
  return async (sent) => {
    const url = new URL(sent.url);
    if (abandoned?.aborted) return { kind: 'failed', error: TOO_LATE };
    const abort = new AbortController();
    const end = (): void => abort.abort();
    const timer = setTimeout(end, limitMs);
    abandoned?.addEventListener('abort', end);
    try {
      const addresses = await findAddresses(url, { targets, resolve, signal: abort.signal });
      if ('error' in addresses) return addresses;
      return await exchange(sent, url, { addresses, ca, signal: abort.signal });
    } finally {
      clearTimeout(timer);
      abandoned?.removeEventListener('abort', end);
    }
  };
}

type Failure = Exclude<OutgoingAnswer, { kind: 'answered' }>;

const TOO_LATE = 'There was no answer in time.';

/** Resolves the host and checks all its addresses. */
async function findAddresses(
  url: URL,
  search: {
    readonly targets: readonly NamedTarget[];
    readonly resolve: Resolve;
    readonly signal: AbortSignal;
  },
): Promise<readonly string[] | Failure> {
  const { targets, resolve, signal } = search;
  const destination = destinationOf(url);
  const isNamed = isNamedHost(targets, destination);
  const { host } = destination;
  let addresses: readonly string[] = [host];
  if (isIP(host) === 0) {
    try {
      addresses = await within(signal, isNamed ? byThisMachine(host) : resolve(host, signal));
    } catch {
      return { kind: 'failed', error: signal.aborted ? TOO_LATE : 'The name of the host has no address.' };
    }
    if (addresses.length === 0) return { kind: 'failed', error: 'The name of the host has no address.' };
  }
  const mayReach = (address: string): boolean =>
    isNamed || isNamedAddress(targets, destination, address) || (isPlain(url) && isPublicAddress(address));
  if (addresses.every(mayReach)) return addresses;
  const error = isPlain(url)
    ? 'The host has an address to which this server sends nothing.'
    : 'The URL must begin with https:// and have no port.';
  return { kind: 'refused', error };
}

function destinationOf(url: URL): Destination {
  const usual = url.protocol === 'https:' ? 443 : 80;
  return { host: hostOf(url), port: url.port === '' ? usual : Number(url.port) };
}

/** The only form for hosts that the setting does not name. */
function isPlain({ protocol, port }: URL): boolean {
  return protocol === 'https:' && port === '';
}

/** Asks the system, which knows the names of this machine's network too. */
async function byThisMachine(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/**
 * Asks DNS over sockets of its own: the system's resolver uses the threads that files need, and a server of names that
 * answers slowly would hold them.
 */
async function byDns(host: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver();
  signal.addEventListener('abort', () => resolver.cancel());
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (addresses.length === 0) throw new Error('no address');
  return addresses;
}

/** Settles like the promise, or rejects when the time limit passes. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(TOO_LATE)));
    work.then(resolve, reject);
  });
}

/** Sends the request to one of the addresses and reads the answer. */
function exchange(
  { method, headers, body = '' }: OutgoingRequest,
  url: URL,
  { addresses, ca, signal }: { addresses: readonly string[]; ca: string | undefined; signal: AbortSignal },
): Promise<OutgoingAnswer> {
  const { host, port } = destinationOf(url);
  const isTls = url.protocol === 'https:';
  return new Promise((resolve) => {
    // The fields are named one by one, as a URL object could bring credentials. `agent: false` makes a connection of
    // its own, without a proxy of the environment.
    const request = (isTls ? requestHttps : requestHttp)({
      agent: false,
      host,
      port,
      method,
      path: url.pathname + url.search,
      lookup: answerWith(addresses),
      maxHeaderSize: MAX_HEADER_BYTES,
      ...(isTls && ca !== undefined && { ca }),
      headers: {
        host: url.host,
        'user-agent': 'Pipit',
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(method === 'POST' && { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    const state = watchHandshake(request, isTls);
    const fail = (failure: Failure): void => {
      request.destroy();
      resolve(failure);
    };
    const giveUp = (): void => fail({ kind: 'failed', error: TOO_LATE });
    signal.addEventListener('abort', giveUp);
    request.on('error', (error) => fail(failureOf(error, state)));
    request.on('close', () => fail({ kind: 'failed', error: 'The connection ended without an answer.' }));
    request.on('response', (response) => {
      // The status counts, even if the body does not arrive in time.
      signal.removeEventListener('abort', giveUp);
      request.removeAllListeners('close');
      void readBody(response, signal).then((read) => {
        resolve({ kind: 'answered', status: response.statusCode ?? 0, ...read });
        request.destroy();
      });
    });
    request.end(body);
  });
}

/** Creates a lookup that knows only addresses that were checked. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) => {
    const [first] = found;
    if (options.all === true) done(null, found);
    else done(null, first?.address ?? '', first?.family);
  };
}

interface Handshake {
  /** True between the beginning and the end of the TLS handshake. */
  isRunning: boolean;
}

function watchHandshake(request: ClientRequest, isTls: boolean): Handshake {
  const state = { isRunning: false };
  if (!isTls) return state;
  request.on('socket', (socket) => {
    socket.once('connect', () => {
      state.isRunning = true;
    });
    socket.once('secureConnect', () => {
      state.isRunning = false;
    });
  });
  return state;
}

/** Errors of a connection that is cut, which say nothing about the certificate. */
const CUTS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

function failureOf(error: NodeJS.ErrnoException, { isRunning }: Handshake): Failure {
  const { code = 'unknown' } = error;
  if (isRunning && !CUTS.has(code)) return { kind: 'tls', error: `The TLS connection failed (${code}).` };
  if (code.startsWith('HPE_')) return { kind: 'failed', error: `The answer is not valid HTTP (${code}).` };
  return { kind: 'failed', error: `The connection failed (${code}).` };
}

/** Reads up to 64 kB, until the end or the signal. Never rejects. */
function readBody(
  response: IncomingMessage,
  signal: AbortSignal,
): Promise<{ readonly body: Buffer; readonly isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const end = (isWhole: boolean): void =>
      resolve({ body: Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES), isWhole });
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) end(false);
    });
    response.on('end', () => end(response.complete));
    response.on('error', () => end(false));
    response.on('close', () => end(false));
    signal.addEventListener('abort', () => end(false));
  });
}
