import { spawn, type ChildProcess } from 'node:child_process';

/** Ends the process `$1` when standard input ends without a line. A shell is smaller than another Node. */
const SCRIPT = 'trap "" INT TERM HUP; read -r line || kill -TERM "$1"';

/**
 * Ends a child when this process ends without having waited for it, such as by SIGKILL: the child would otherwise go on
 * with variables that lead nowhere. Does nothing on Windows.
 */
export function endWithThisProcess(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'pipit-guard', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell there is no guard.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  child.once('exit', () => guard.stdin.end('ended\n'));
  guard.unref();
}
