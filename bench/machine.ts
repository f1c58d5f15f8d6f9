import { readFile, statfs } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;

/** The kernel ticks in which Linux counts CPU time. */
const TICKS_PER_SECOND = 100;

const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x01021994: 'tmpfs (in memory: nothing there is durable)',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x794c7630: 'overlayfs',
};

/** Returns the facts on which the figures depend, without names of hosts or people. */
export async function machineFacts(folder: string): Promise<Record<string, string | number>> {
  const processors = cpus();
  const { type } = await statfs(folder);
  return {
    cores: processors.length,
    cpu: processors[0]?.model ?? 'unknown',
    memoryMb: Math.round(totalmem() / MEBIBYTE),
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    fileSystem: FILE_SYSTEMS[type] ?? `type 0x${type.toString(16)}`,
  };
}

/** Returns the CPU seconds of a process and its children so far, over all threads; NaN without /proc. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  return sumOf(await withChildren(pid), ownCpuSeconds);
}

/**
 * Returns the resident memory of a process and its children in MiB, counting shared pages in each; NaN without /proc.
 */
export async function residentMbOf(pid: number): Promise<number> {
  return sumOf(await withChildren(pid), ownResidentMb);
}

async function withChildren(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return [
    pid,
    ...text
      .split(' ')
      .filter((part) => part !== '')
      .map(Number),
  ];
}

async function sumOf(pids: readonly number[], read: (pid: number) => Promise<number>): Promise<number> {
  const values = await Promise.all(pids.map(read));
  return values.reduce((sum, value) => sum + value, 0);
}

async function ownCpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? NaN) + Number(fields[12] ?? NaN)) / TICKS_PER_SECOND;
}

async function ownResidentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1024;
}
