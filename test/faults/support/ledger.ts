import type { StormUser } from './storm-world.js';

interface Entry {
  readonly author: StormUser;
  /** As the 201 gave it. */
  readonly text: string;
  /** Of its deletion: never asked for, asked for without an answer, acknowledged. */
  deletion: 'none' | 'asked' | 'acknowledged';
}

/** What the server acknowledged, kept outside of it. */
export interface Ledger {
  readonly posts: ReadonlyMap<string, Entry>;
  acknowledgePost(id: string, author: StormUser, text: string): void;
  /** A post of the author that nobody has asked to delete; from now on somebody has. */
  takeForDeletion(author: StormUser, index: number): string | undefined;
  acknowledgeDeletion(id: string): void;
  /** The id of any acknowledged post that is not being deleted. */
  anyPost(index: number): string | undefined;
  /**
   * Compares the ledger with the texts that the server has, by id, and settles the deletions that got no answer.
   * Returns what was lost or came back.
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

/** True when what is stored fits; a deletion without an answer becomes what it turned out to be. */
function settle(entry: Entry, text: string | undefined): boolean {
  if (entry.deletion === 'asked') entry.deletion = text === undefined ? 'acknowledged' : 'none';
  return entry.deletion === 'none' ? text === entry.text : text === undefined;
}
