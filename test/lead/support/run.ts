import { execFile } from 'node:child_process';

export interface Outcome {
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** A first build in Go takes this long on a busy machine. */
export const LONGEST_MS = 180_000;

/** Runs a program to its end. */
export function run(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = process.env,
  input = '',
): Promise<Outcome> {
  const [file, ...args] = command;
  return new Promise((resolve) => {
    const child = execFile(file, args, { env, timeout: LONGEST_MS }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? error?.signal ?? 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}
