import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Long enough for a build of the image that finds nothing in its cache. */
export const BUILD_MS = 20 * 60_000;

/** The container engine to test with, `docker` or `podman`: builds take minutes, so only who names one waits. */
export const ENGINE = process.env['PIPIT_TEST_CONTAINERS'];

interface Outcome {
  readonly status: number;
  /** Standard output, and what was printed to standard error after it. */
  readonly output: string;
}

const run = promisify(execFile);

/** Runs a program to its end, whatever its status is. */
async function outcomeOf(program: string, args: readonly string[], env = process.env): Promise<Outcome> {
  try {
    const { stdout, stderr } = await run(program, args, { env, maxBuffer: 2 ** 26 });
    return { status: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number | string; stdout: string; stderr: string };
    if (typeof code !== 'number') throw error;
    return { status: code, output: stdout + stderr };
  }
}

/** Runs a command of the engine to its end, whatever its status is. */
export function tryEngine(...args: readonly string[]): Promise<Outcome> {
  return outcomeOf(ENGINE ?? 'docker', args);
}

/** Runs a command of the engine; returns what it printed. Throws if it fails. */
export async function engine(...args: readonly string[]): Promise<string> {
  return outputOf(args, await tryEngine(...args));
}

/** Builds the image of the checkout. `PIPIT_TEST_BUILD_OPTIONS` adds options, such as `--network host`. */
export async function buildImage(tag: string): Promise<void> {
  const options = process.env['PIPIT_TEST_BUILD_OPTIONS']?.split(' ') ?? [];
  await engine('build', '--tag', tag, ...options, ROOT);
}

/** A set of services that `compose` runs under a name of its own. */
export interface Services extends AsyncDisposable {
  /** Runs a command of compose; returns what it printed. Throws if it fails. */
  compose(...args: readonly string[]): Promise<string>;
  /** Returns the id of a service's container. */
  containerOf(service: string): Promise<string>;
}

/** Uses services of a compose file; its disposal removes their containers, networks and volumes. */
export async function services(file: string, project: string, env: NodeJS.ProcessEnv): Promise<Services> {
  // Debian has the older program of its own.
  const isPlugin = (await tryEngine('compose', 'version')).status === 0;
  const [program, ...first] = isPlugin ? [ENGINE ?? 'docker', 'compose'] : ['docker-compose'];
  const names = ['--project-name', project, '--file', join(ROOT, file)];
  const compose = async (...args: readonly string[]): Promise<string> => {
    const all = [...first, ...names, ...args];
    return outputOf(args, await outcomeOf(program, all, { ...process.env, ...env }));
  };
  return {
    compose,
    containerOf: async (service) => (await compose('ps', '--quiet', service)).trim(),
    [Symbol.asyncDispose]: async () => void (await compose('down', '--volumes', '--timeout', '20')),
  };
}

/** Waits until the health check of a container succeeds. */
export async function healthy(container: string): Promise<void> {
  const check = async (): Promise<void> => {
    // Without systemd, podman runs no health check by itself.
    if (ENGINE?.endsWith('podman')) await tryEngine('healthcheck', 'run', container);
    const health = await engine('inspect', '--format', '{{.State.Health.Status}}', container);
    if (health !== 'healthy\n') throw new Error(`${container} is ${health}`);
  };
  await vi.waitFor(check, { timeout: 60_000, interval: 500 });
}

/** Returns the address at which this machine reaches the port 8080 of a container. */
export async function urlOf(container: string): Promise<string> {
  const [first = ''] = (await engine('port', container, '8080')).split('\n');
  return `http://${first.replace(/^.* -> /, '')}`;
}

function outputOf(args: readonly string[], { status, output }: Outcome): string {
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${output}`);
  return output;
}
