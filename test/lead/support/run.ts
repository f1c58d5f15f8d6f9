import { execFile } from 'node:child_process';

export interface Outcome {
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, for at most a minute. */
export function run(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = process.env,
  input = '',
): Promise<Outcome> {
  const [file, ...args] = command;
  return new Promise((resolve) => {
    const child = execFile(file, args, { env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? error?.signal ?? 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}
