import { KEY_VARIABLE, URL_VARIABLE } from '../lead/credentials.js';
import { inOneLine } from '../core/plain-line.js';
import { JSON_TYPE } from '../http/problems.js';
import { KEY_HEADER } from '../sandbox/guard.js';
import { SANDBOX_PATH } from '../sandbox/operation.js';
import { asLines, CommandRefused, type CommandIo } from './command.js';

/** Where a sandbox is; by default what the environment says. */
export interface SandboxAddress {
  readonly url?: string;
  readonly sandboxKey?: string;
}

interface SandboxRequest {
  readonly method: string;
  /** Below the path of the sandbox, with the query. */
  readonly path: string;
  /** As JSON. */
  readonly body: string | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Sends a request to a sandbox and returns the JSON of its answer. Throws CommandRefused for a refusal. */
export async function sendToSandbox(
  { env }: CommandIo,
  { url = env[URL_VARIABLE] || DEFAULT_URL, sandboxKey = env[KEY_VARIABLE] || undefined }: SandboxAddress,
  { method, path, body }: SandboxRequest,
): Promise<unknown> {
  if (!URL.canParse(url))
    throw new CommandRefused(`--url must be a URL such as ${DEFAULT_URL}, not "${url}"`, 2);
  const headers = {
    ...(sandboxKey === undefined ? {} : { [KEY_HEADER]: sandboxKey }),
    ...(body === undefined ? {} : { 'content-type': JSON_TYPE }),
  };
  const base = url.replace(/\/$/, '');
  const answer = await fetch(base + SANDBOX_PATH + path, { method, headers, body }).catch(
    (cause: unknown) => {
      const advice = 'start it with pipit serve --sandbox, or name another one with --url';
      throw new CommandRefused(`no server answers at ${base}: ${advice}`, 1, { cause });
    },
  );
  const text = await answer.text();
  const json = parse(text);
  if (answer.ok && json !== undefined) return json;
  throw refusal(answer.status, json, base);
}

function refusal(status: number, json: unknown, base: string): CommandRefused {
  const { errors, detail } = (json ?? {}) as {
    readonly errors?: readonly { readonly message?: string }[];
    readonly detail?: string;
  };
  if (status === 404 && detail === 'Not Found')
    return new CommandRefused(`the server at ${base} is no sandbox: start it with --sandbox`);
  const reason = errors?.map(({ message }) => message).join('; ') ?? detail ?? `the server answers ${status}`;
  return new CommandRefused(inOneLine(reason), status === 400 ? 2 : 1);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns an answer as text: a line for each member of an object of plain values, otherwise indented JSON. */
export function textOf(answer: unknown): string {
  const data = (answer as { readonly data?: unknown }).data ?? answer;
  const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;
  if (isPlain(data)) return String(data);
  const isFlat = !Array.isArray(data) && Object.values(data as object).every(isPlain);
  return isFlat ? asLines(data as Record<string, unknown>) : JSON.stringify(data, undefined, 2);
}
