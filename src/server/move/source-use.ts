import { keepDatabase, useDatabase, type DatabaseUse } from '../database-use.js';
import type { StoredRows, StoredTable } from '../../database/stored-rows.js';

/** The use of the source by this process, beside servers until they have stopped. */
export interface SourceUse {
  /** Returns false while another process uses the source. From true on, none can write to it. */
  keep(): Promise<boolean>;
  end(): Promise<void>;
}

/** Registers the use of a file, whose lock shows other users. Throws DatabaseInUse during a restore. */
export async function useFile(file: string): Promise<SourceUse> {
  let use: DatabaseUse | undefined = await useDatabase(file);
  let isKept = false;
  return {
    keep: async () => {
      if (isKept) return true;
      await use?.end();
      use = undefined;
      use = await keepDatabase(file).catch(() => undefined);
      isKept = use !== undefined;
      use ??= await useDatabase(file);
      return isKept;
    },
    end: async () => use?.end(),
  };
}

/**
 * Registers the use of a database on a server. Other users have connections to it, and a lease of ids until they stop:
 * for three minutes after they were killed.
 */
export function useServer(from: StoredRows, leases: StoredTable, clock: () => number): SourceUse {
  const untilOf = leases.columns.findIndex(({ name }) => name === 'lease_until');
  return {
    keep: async () => {
      if ((await from.countUsers()) > 0) return false;
      const rows = await from.pageOf(leases, undefined, 10_000);
      return rows.every((row) => Number(row[untilOf]) <= clock());
    },
    end: () => Promise.resolve(),
  };
}
