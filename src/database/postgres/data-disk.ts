import { statfs } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { checkDiskSpace, type FreeBlocks } from '../disk-space.js';
import type { Finding } from '../inspection.js';
import type { ServerFacts } from './server-facts.js';

/** What is asked about the machine on which Pipit runs. */
export interface Machine {
  /** At which it can be reached, also by itself. */
  addresses(): readonly string[];
  /** Of the disk on which a folder lies. Rejects when there is no such folder, or none to be seen. */
  freeBlocks(folder: string): Promise<FreeBlocks>;
}

/** The machine of this process. */
export const thisMachine: Machine = {
  addresses: () =>
    Object.values(networkInterfaces())
      .flatMap((ends) => ends ?? [])
      .map(({ address }) => address),
  freeBlocks: (folder) => statfs(folder),
};

/** Whether the server has room for its data, when it runs on the same machine; else says who can tell. */
export async function checkDataDisk(
  { dataFolder, address }: Pick<ServerFacts, 'dataFolder' | 'address'>,
  machine: Machine,
): Promise<Finding> {
  const unseen = (message: string): Finding => ({ level: 'ok', check: 'disk', message });
  if (address !== undefined && !machine.addresses().includes(address))
    return unseen('not looked at: it is that of the server, another machine');
  if (dataFolder === undefined)
    return unseen('not looked at: the server tells where its data lies to pg_read_all_settings only');
  const free = await machine.freeBlocks(dataFolder).catch(() => undefined);
  return free
    ? checkDiskSpace(free, ` at ${dataFolder}`)
    : unseen(`not looked at: ${dataFolder} is that of the server and cannot be seen from here`);
}
