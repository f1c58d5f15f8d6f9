import { spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client as Xdk } from '@xdevplatform/xdk';
import { Client as Sdk } from 'twitter-api-sdk';
import { ETwitterStreamEvent, TwitterApi } from 'twitter-api-v2';
import { pythonWith } from '../../support/python.js';
import { LocalAgent } from './local-agent.js';

/** An unmodified client that reads the filtered stream until it is closed, and connects again by its own means. */
export interface StreamClient {
  /** The texts of the posts in the order of arrival; a backfill repeats some. */
  readonly texts: readonly string[];
  /** What it reported as wrong, other than lost connections. */
  readonly problems: readonly unknown[];
  close(): void;
}

export interface StreamTarget {
  readonly port: number;
  readonly bearerToken: string;
  /** How long wary clients wait for a sign of life; by default as long as they do by themselves. */
  readonly patienceSeconds?: number;
}

interface ClientKind {
  readonly name: string;
  /** The Python that has it; absent for clients of npm, undefined if there is none. */
  readonly python?: string | undefined;
  /** It asks for the last minutes when it connects. */
  readonly hasBackfill: boolean;
  /** It connects again when there are no signs of life. */
  readonly isWary?: boolean;
  /** Why it does not notice that a connection was cut. */
  readonly missesCuts?: string;
  /** It does not show messages without a post. */
  readonly hidesErrors?: boolean;
  open(target: StreamTarget): StreamClient;
}

const BACKFILL_MINUTES = 5;
const FOLDER = join(import.meta.dirname, '..');

/** The Pythons that have the clients. */
export const python = {
  tweepy: pythonWith('tweepy'),
  xdk: pythonWith('xdk'),
  twarc: pythonWith('twarc.command2'),
};

/** The clients; `isHere` is false for those of Python that are not installed. */
export const STREAM_CLIENTS = (
  [
    {
      name: 'twitter-api-v2',
      hasBackfill: true,
      isWary: true,
      missesCuts: 'its decompression hides cuts until it misses signs of life, for two minutes',
      open: (target) => openTwitterApiV2(target, true),
    },
    {
      name: 'twitter-api-v2 without compression',
      hasBackfill: true,
      isWary: true,
      open: (target) => openTwitterApiV2(target, false),
    },
    { name: 'twitter-api-sdk', hasBackfill: true, open: openTwitterApiSdk },
    { name: 'xdk', hasBackfill: true, open: openXdk },
    {
      name: 'tweepy',
      python: python.tweepy,
      hasBackfill: true,
      isWary: true,
      open: (target) => runScript(String(python.tweepy), 'tweepy_stream.py', target),
    },
    {
      name: 'xdk for Python',
      python: python.xdk,
      hasBackfill: true,
      isWary: true,
      hidesErrors: true,
      open: (target) => runScript(String(python.xdk), 'xdk_stream.py', target),
    },
    // The command has no option for a backfill.
    { name: 'twarc2 stream', python: python.twarc, hasBackfill: false, open: openTwarc },
  ] satisfies ClientKind[] as ClientKind[]
).map((kind) => ({ ...kind, isHere: !('python' in kind) || kind.python !== undefined }));

function openTwitterApiV2(
  { port, bearerToken, patienceSeconds }: StreamTarget,
  compression: boolean,
): StreamClient {
  const texts: string[] = [];
  const problems: unknown[] = [];
  const client = new TwitterApi(bearerToken, { httpAgent: new LocalAgent(port), compression });
  const stream = client.v2.searchStream({ autoConnect: false, backfill_minutes: BACKFILL_MINUTES });
  stream.on(ETwitterStreamEvent.Data, ({ data }) => texts.push(data.text));
  stream.on(ETwitterStreamEvent.TweetParseError, (fault) => problems.push(fault));
  stream.on(ETwitterStreamEvent.DataError, (fault) => problems.push(fault));
  void stream.connect({
    autoReconnect: true,
    autoReconnectRetries: 'unlimited',
    ...(patienceSeconds !== undefined && { keepAliveTimeout: patienceSeconds * 1_000 }),
  });
  return { texts, problems, close: () => stream.close() };
}

/** Its streams end; connecting again is the program's task. */
function openTwitterApiSdk({ port, bearerToken }: StreamTarget): StreamClient {
  const texts: string[] = [];
  const problems: unknown[] = [];
  const client = new Sdk(bearerToken, { base_url: `http://127.0.0.1:${port}` });
  let stream: AsyncGenerator<unknown> | undefined;
  let isClosed = false;
  const read = async (): Promise<void> => {
    const messages = client.tweets.searchStream({ backfill_minutes: BACKFILL_MINUTES });
    stream = messages;
    for await (const { data, errors } of messages) {
      if (data) texts.push(data.text);
      else problems.push({ errors });
    }
  };
  void (async () => {
    while (!isClosed) await read().catch((error: Error) => isLost(error) || problems.push(error));
  })();
  const close = (): void => {
    isClosed = true;
    void stream?.return(undefined);
  };
  return { texts, problems, close };
}

function isLost({ message }: Error): boolean {
  return /Premature close|ECONNRESET|socket hang up|aborted/.test(message);
}

/** Its streams end; connecting again is the program's task. */
function openXdk({ port, bearerToken }: StreamTarget): StreamClient {
  const texts: string[] = [];
  const problems: unknown[] = [];
  const { stream: streams } = new Xdk({ baseUrl: `http://127.0.0.1:${port}`, bearerToken });
  const closing = new AbortController();
  const read = async (): Promise<void> => {
    const requestOptions = { signal: closing.signal };
    const stream = await streams.posts({ backfillMinutes: BACKFILL_MINUTES, requestOptions });
    const ended = new Promise<void>((resolve) => {
      stream.on('close', () => resolve());
      stream.on('error', () => resolve());
    });
    // It passes on messages of its own, too.
    stream.on('data', ({ data, errors }: { data?: { text: string }; errors?: unknown }) => {
      if (data) texts.push(data.text);
      else if (errors) problems.push({ errors });
    });
    await ended;
  };
  void (async () => {
    while (!closing.signal.aborted) {
      await read().catch((error: Error) => closing.signal.aborted || problems.push(error));
    }
  })();
  return { texts, problems, close: () => closing.abort() };
}

/** A line is the text of a post as JSON, or an object with a problem. */
function runScript(interpreter: string, file: string, target: StreamTarget): StreamClient {
  const { port, bearerToken } = target;
  const world = {
    port,
    bearerToken,
    backfillMinutes: BACKFILL_MINUTES,
    patienceSeconds: target.patienceSeconds,
  };
  return runPython(interpreter, ['-W', 'ignore', join(FOLDER, file), JSON.stringify(world)], (line) =>
    JSON.parse(line),
  );
}

/** Returns the arguments of a Python that has twarc2 for one of its commands. */
export function twarc2({ port, bearerToken }: StreamTarget, ...command: string[]): string[] {
  const script = join(FOLDER, 'local_twarc2.py');
  return ['-W', 'ignore', script, String(port), '--bearer-token', bearerToken, '--log', devNull, ...command];
}

function openTwarc(target: StreamTarget): StreamClient {
  return runPython(String(python.twarc), twarc2(target, 'stream'), (line) => {
    const { data, errors } = JSON.parse(line) as { data?: { text: string }; errors?: unknown };
    return data?.text ?? { errors };
  });
}

/** Runs a program whose lines are texts of posts, or something else that it reports. */
function runPython(
  interpreter: string,
  args: readonly string[],
  read: (line: string) => unknown,
): StreamClient {
  const texts: string[] = [];
  const problems: unknown[] = [];
  const program = spawn(interpreter, ['-u', '-W', 'ignore', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  createInterface(program.stdout).on('line', (line) => {
    const message = read(line);
    if (typeof message === 'string') texts.push(message);
    else problems.push(message);
  });
  return { texts, problems, close: () => program.kill() };
}
