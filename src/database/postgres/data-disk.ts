import { statfs } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { checkDiskSpace, type FreeBlocks } from '../disk-space.js';
import { type Finding, ok } from '../inspection.js';
import type { ServerFacts } from './server-facts.js';

/** What the disk check needs to know about the machine of Pipit. */
export interface Machine {
  /** Returns the addresses of the machine. */
  addresses(): readonly string[];
  /** Returns the free space of the disk of a folder. Rejects if the folder does not exist or is not accessible. */
  freeBlocks(folder: string): Promise<FreeBlocks>;
}

export const thisMachine: Machine = {
  addresses: () =>
    Object.values(networkInterfaces())
      .flatMap((ends) => ends ?? [])
      .map(({ address }) => address),
  freeBlocks: (folder) => statfs(folder),
};

/** Checks the free space of the database server's disk if it runs on this machine; otherwise says why not. */
export async function checkDataDisk(
  { dataFolder, address }: Pick<ServerFacts, 'dataFolder' | 'address'>,
  machine: Machine,
): Promise<Finding> {
  const unchecked = (reason: string) => ok('disk', `not checked: ${reason}`);
  if (address !== undefined && !machine.addresses().includes(address))
    return unchecked('the database server runs on another machine');
  if (dataFolder === undefined)
    return unchecked('only members of pg_read_all_settings may read the data directory');
  const free = await machine.freeBlocks(dataFolder).catch(() => undefined);
  return free
    ? checkDiskSpace(free, ` at ${dataFolder}`)
    : unchecked(`${dataFolder} on the database server is not accessible from here`);
}
