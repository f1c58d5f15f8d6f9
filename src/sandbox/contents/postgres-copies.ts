import type { DatabaseCopies } from '../../database/database-copies.js';
import type { DatabaseCopier } from './contents.js';

/** Copies a database on a PostgreSQL server, each copy as a database beside it. `close` drops them. */
export function createPostgresCopier(copies: DatabaseCopies): DatabaseCopier {
  const made = new Set<string>();
  const discard = async (name: string): Promise<void> => {
    if (made.delete(name)) await copies.drop(name);
  };
  return {
    isOffline: true,
    copy: async (_backend, number) => {
      const name = copies.prefix + number;
      await copies.copy(name);
      made.add(name);
      return {
        restore: async () => {
          await copies.restore(name);
          return {};
        },
        discard: () => discard(name),
      };
    },
    clear: async () => {
      await copies.clear();
      return {};
    },
    close: async () => {
      for (const name of [...made]) await discard(name);
      await copies.close();
    },
  };
}
