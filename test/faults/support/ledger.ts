import type { StormUser } from './storm-world.js';

interface Entry {
  readonly author: StormUser;
  /** As returned by the 201. */
  readonly text: string;
  /** The state of its deletion: not requested, requested without a response, acknowledged. */
  deletion: 'none' | 'asked' | 'acknowledged';
}

/** The writes acknowledged by the server, recorded outside of it. */
export interface Ledger {
  readonly posts: ReadonlyMap<string, Entry>;
  acknowledgePost(id: string, author: StormUser, text: string): void;
  /** Returns a post of the author whose deletion was not requested, and marks it as requested. */
  takeForDeletion(author: StormUser, index: number): string | undefined;
  acknowledgeDeletion(id: string): void;
  /** Returns the id of any acknowledged post that is not being deleted. */
  anyPost(index: number): string | undefined;
  /**
   * Compares the ledger with the texts on the server, by id, and settles the deletions without a response. Returns
   * the differences.
   */
  compare(stored: ReadonlyMap<string, string>): string[];
}

export function createLedger(): Ledger {
  const posts = new Map<string, Entry>();
  const live = new Map<string, Entry>();
  const nth = (ids: readonly string[], index: number): string | undefined => ids[index % ids.length];
  return {
    posts,
    acknowledgePost: (id, author, text) => {
      const entry: Entry = { author, text, deletion: 'none' };
      posts.set(id, entry);
      live.set(id, entry);
    },
    takeForDeletion: (author, index) => {
      const own = [...live].filter(([, entry]) => entry.author === author).map(([id]) => id);
      const id = nth(own, index);
      const entry = id === undefined ? undefined : live.get(id);
      if (id === undefined || !entry) return undefined;
      entry.deletion = 'asked';
      live.delete(id);
      return id;
    },
    acknowledgeDeletion: (id) => {
      const entry = posts.get(id);
      if (entry) entry.deletion = 'acknowledged';
    },
    anyPost: (index) => nth([...live.keys()], index),
    compare: (stored) => {
      const faults: string[] = [];
      for (const [id, entry] of posts) {
        const text = stored.get(id);
        const isSettled = settle(entry, text);
        if (isSettled && entry.deletion === 'none') live.set(id, entry);
        if (!isSettled)
          faults.push(`${id} of ${entry.author}, deletion ${entry.deletion}: ${text ?? 'is gone'}`);
      }
      return faults;
    },
  };
}

/** Reports whether a stored text is consistent with the entry; settles a deletion without a response. */
function settle(entry: Entry, text: string | undefined): boolean {
  if (entry.deletion === 'asked') entry.deletion = text === undefined ? 'acknowledged' : 'none';
  return entry.deletion === 'none' ? text === entry.text : text === undefined;
}
