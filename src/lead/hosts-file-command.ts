import { spawnSync } from 'node:child_process';

const ISOLATE = ['unshare', '--mount', '--propagation', 'private'] as const;

/** Reports whether this process may mount files in a new namespace. */
export function canMount(): boolean {
  const [file, ...args] = hostsFileCommand('/etc/hosts', ['true']);
  return spawnSync(file, args).status === 0;
}

/**
 * Returns the command that runs another one with `hostsFile` in place of `/etc/hosts`, which only this program and its
 * children see: in a mount namespace (unshare(1), mount_namespaces(7)). Needs root on Linux.
 */
export function hostsFileCommand(
  hostsFile: string,
  command: readonly [string, ...string[]],
): [string, ...string[]] {
  const script = 'mount --bind "$1" /etc/hosts && shift && exec "$@"';
  return [...ISOLATE, 'sh', '-c', script, 'sh', hostsFile, ...command];
}
