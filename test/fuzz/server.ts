import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '../../src/api/route-table.js';
import { startTestApp } from '../support/app.js';
import { runCli } from '../support/cli.js';
import { VISITOR, fuzzWorld } from './fuzz-world.js';
import { validMedia } from './odd-media.js';
import type { FuzzSurface, PageForm } from './requests.js';
import { type Pause, PAUSE_WATCHER, pausesIn } from './watch-pauses.js';

/** A server in its own process with a new database. */
export interface FuzzServer extends AsyncDisposable {
  readonly port: number;
  readonly surface: FuzzSurface;
  /** Returns the pauses reported since the last call. */
  takePauses(): Pause[];
  /** Returns the latest log output. */
  log(): string;
  /** Undefined while it runs. */
  exit(): string | undefined;
}

/** Starts a server with node arguments, and signs in to its pages. */
export async function startFuzzServer(program: readonly string[]): Promise<FuzzServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-fuzz-'));
  const world = join(folder, 'world.json');
  await writeFile(world, JSON.stringify(await fuzzWorld()));
  const database = `sqlite:${join(folder, 'pipit.db')}`;
  const args = ['--database', database, '--load', world, '--port', '0'];
  const modes = ['--rate-limits', 'off', '--post-cap', 'off', '--sign-up', 'open', '--log-level', 'error'];
  const child = spawn(process.execPath, [...PAUSE_WATCHER, ...program, 'serve', ...args, ...modes], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  let untold = '';
  child.stderr.on('data', (chunk: Buffer) => {
    untold += chunk.toString();
    log = (log + chunk.toString()).slice(-20_000);
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const port = await portOf(child);
    await runCli(['user', 'operator', VISITOR.username, '--database', database]);
    return {
      port,
      surface: await readSurface(`http://127.0.0.1:${port}`),
      takePauses: () => {
        const pauses = pausesIn(untold);
        untold = '';
        return pauses;
      },
      log: () => log,
      exit: () => (child.exitCode === null && child.signalCode === null ? undefined : endOf(child)),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw new Error(`the server did not start: ${log}`, { cause: error });
  }
}

function endOf({ exitCode, signalCode }: ChildProcess): string {
  return `exit status ${exitCode ?? 'none'}, signal ${signalCode ?? 'none'}`;
}

async function portOf(child: ChildProcess): Promise<number> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  while (!text.includes('\n')) {
    if (child.exitCode !== null) throw new Error(endOf(child));
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), once(child, 'exit')]);
  }
  return Number(new URL(text.replace('pipit listening on ', '').trim()).port);
}

async function readSurface(origin: string): Promise<FuzzSurface> {
  const routes = await routesOf();
  const own = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
  const plainRoutes = routes
    .filter(({ method, path }) => !own.has(`${method} ${path}`))
    .map((route) => ({ ...route, isEndless: ENDLESS.test(route.path) }));
  const cookie = await signIn(origin);
  const pages = plainRoutes.filter(
    ({ method, path, isEndless }) => method === 'GET' && !/[{*]/.test(path) && !isEndless,
  );
  const forms: PageForm[] = [];
  for (const { path } of pages) {
    const page = await fetch(origin + path, { headers: { cookie }, redirect: 'manual' });
    forms.push(...formsIn(await page.text()).filter(({ action }) => !TERMINATING.test(action)));
  }
  return {
    origin,
    endpoints,
    plainRoutes,
    forms,
    cookie,
    media: await validMedia(),
  };
}

/** Matches the paths of events for pages, whose answers do not end. */
const ENDLESS = /^\/i\/live$/;

/** Matches forms that would end the session or the account prematurely. */
const TERMINATING = /sign-out|sign-in|delete|deactivate|close|password/;

async function routesOf(): Promise<readonly { readonly method: string; readonly path: string }[]> {
  await using app = await startTestApp({ world: null });
  return app.pipit.app.routes.map(({ method, path }) => ({ method, path }));
}

async function signIn(origin: string): Promise<string> {
  const page = await fetch(`${origin}/sign-in`);
  const [form] = formsIn(await page.text());
  const { username, password } = VISITOR;
  const answer = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    headers: { cookie: cookiesOf(page) },
    body: new URLSearchParams({ ...form?.fields, username, password }),
    redirect: 'manual',
  });
  return cookiesOf(answer);
}

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .join('; ');
}

function formsIn(page: string): PageForm[] {
  return [...page.matchAll(/<form [^>]*method="post"[^>]*>[^]*?<\/form>/g)].map(([form]) => {
    const action = /action="([^"]+)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? '/';
    const inputs = form.matchAll(/<(?:input|select|textarea|button)\b[^>]*\bname="([^"]+)"[^>]*>/g);
    const fields = [...inputs].map(([tag, name = '']) => [name, /value="([^"]*)"/.exec(tag)?.[1] ?? 'x']);
    return { action, fields: Object.fromEntries(fields) as Record<string, string> };
  });
}
