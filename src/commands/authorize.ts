import type { Command } from 'commander';
import { isLedHost } from '../lead/hosts.js';
import { KEY_VARIABLE, URL_VARIABLE } from '../lead/credentials.js';
import type { ConsentVisitor, Decided } from '../lead/consent-visitor.js';
import { CommandRefused, type CommandIo, printResult } from './command.js';

interface AuthorizeFlags {
  readonly as?: string;
  readonly url?: string;
  readonly password?: string;
  readonly sandboxKey?: string;
  readonly deny?: true;
  readonly follow?: true;
  readonly json?: true;
}

/** The paths of authorize pages (docs/api/authentication.md). */
const AUTHORIZE_PATH = /^\/(?:(?:i\/|2\/)?oauth2\/authorize|oauth\/(?:authorize|authenticate))$/;

/** Adds `pipit authorize`. */
export function addAuthorizeCommand(program: Command, io: CommandIo): void {
  program
    .command('authorize')
    .description('sign in and consent to an app without a browser; prints the redirect or the PIN')
    .argument('<url>', 'the address to which the app sends its users, also at a host of X')
    .option('--as <username>', 'the user who decides (default PIPIT_USERNAME)')
    .option('--url <server>', `the server (default ${URL_VARIABLE}, or the host of the address)`)
    .option('--password <password>', "the user's password; a sandbox needs none (PIPIT_PASSWORD, or asked)")
    .option('--sandbox-key <key>', `the key of the sandbox (${KEY_VARIABLE})`)
    .option('--deny', 'decline the request')
    .option('--follow', 'request the redirect too, as a browser would')
    .option('--json', 'print the result as JSON')
    .action((url: string, flags: AuthorizeFlags) => authorize(io, url, flags));
}

async function authorize(io: CommandIo, text: string, flags: AuthorizeFlags): Promise<void> {
  const target = readTarget(text);
  const server = serverOf(io, target, flags.url);
  const username = flags.as?.replace(/^@/, '') ?? io.env['PIPIT_USERNAME'];
  if (!username) throw new CommandRefused('name the user who decides: --as USERNAME', 2);
  const { ConsentVisitor } = await import('../lead/consent-visitor.js');
  const visitor = new ConsentVisitor(server);
  await reaching(server, () => signIn(io, visitor, username, flags));
  const decided = await visitor.decide(target.pathname + target.search, flags.deny ? 'deny' : 'approve');
  if ('redirectTo' in decided) requireNoError(decided.redirectTo, flags);
  printResult(io, flags, asResult(decided));
  if (flags.follow && 'redirectTo' in decided) await follow(decided.redirectTo);
}

function readTarget(text: string): URL {
  const target = URL.canParse(text) ? new URL(text) : undefined;
  if (!target || !/^https?:$/.test(target.protocol) || !AUTHORIZE_PATH.test(target.pathname)) {
    throw new CommandRefused(
      `this is not an authorize address, such as https://x.com/i/oauth2/authorize?…: ${text}`,
      2,
    );
  }
  // It asks for a sign-in, which follows anyway.
  target.searchParams.delete('force_login');
  return target;
}

/** Returns the origin of the server: the original is never asked. */
function serverOf(io: CommandIo, target: URL, flag: string | undefined): string {
  const text = flag ?? io.env[URL_VARIABLE] ?? (isLedHost(target.hostname) ? undefined : target.origin);
  if (text === undefined)
    throw new CommandRefused(`name the server: --url http://127.0.0.1:8080, or ${URL_VARIABLE}`, 2);
  const server = URL.canParse(text) ? new URL(text) : undefined;
  if (!server || !/^https?:$/.test(server.protocol) || isLedHost(server.hostname)) {
    throw new CommandRefused(`this is not the address of a Pipit server: ${text}`, 2);
  }
  return server.origin;
}

async function signIn(
  io: CommandIo,
  visitor: ConsentVisitor,
  username: string,
  flags: AuthorizeFlags,
): Promise<void> {
  const isAsked = flags.password === undefined;
  const cookie = isAsked ? await sandboxSession(io, visitor.server, username, flags) : undefined;
  if (cookie !== undefined) return visitor.addCookie(cookie);
  const password =
    flags.password ?? (io.env['PIPIT_PASSWORD'] || (await io.askSecret(`Password of @${username}: `)));
  if (password === undefined) {
    throw new CommandRefused(
      `the server is no sandbox: give the password of @${username} in PIPIT_PASSWORD`,
      2,
    );
  }
  await visitor.signIn(username, password);
}

interface SessionAnswer {
  readonly data?: { readonly cookie: string };
  readonly detail?: string;
  readonly errors?: readonly { readonly message?: string }[];
}

/** Returns a cookie of a new session on a sandbox; undefined on any other server. */
async function sandboxSession(
  io: CommandIo,
  server: string,
  username: string,
  { sandboxKey = io.env[KEY_VARIABLE] }: AuthorizeFlags,
): Promise<string | undefined> {
  const { KEY_HEADER } = await import('../sandbox/guard.js');
  const { SANDBOX_PATH } = await import('../sandbox/operation.js');
  const answer = await fetch(`${server}${SANDBOX_PATH}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(sandboxKey && { [KEY_HEADER]: sandboxKey }) },
    body: JSON.stringify({ username }),
  });
  if (answer.status === 404) return undefined;
  const { data, detail, errors } = (await answer.json()) as SessionAnswer;
  if (data) return data.cookie;
  throw new CommandRefused(`the sandbox answered ${answer.status}: ${errors?.[0]?.message ?? detail}`);
}

async function reaching<T>(server: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandRefused(`no server answers at ${server}`);
  }
}

/** Throws CommandRefused for a redirect that reports a fault of the app's request. */
function requireNoError(location: string, { deny }: AuthorizeFlags): void {
  const { searchParams } = new URL(location);
  const error = searchParams.get('error');
  if (error === null || deny) return;
  throw new CommandRefused(
    `the server refused the request: ${searchParams.get('error_description') ?? error}`,
  );
}

function asResult(decided: Decided) {
  return 'pin' in decided
    ? { json: { pin: decided.pin }, text: decided.pin }
    : { json: { redirect_to: decided.redirectTo }, text: decided.redirectTo };
}

async function follow(location: string): Promise<void> {
  const { protocol, hostname, origin } = new URL(location);
  if (!/^https?:$/.test(protocol) || isLedHost(hostname)) {
    throw new CommandRefused(`cannot follow ${location}: it is not a web address of the app`);
  }
  const answer = await reaching(origin, () => fetch(location, { redirect: 'manual' }));
  await answer.body?.cancel();
  if (answer.status >= 400) throw new CommandRefused(`the app answered ${answer.status} at ${origin}`);
}
