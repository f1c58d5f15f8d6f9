import { statfs } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;

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
