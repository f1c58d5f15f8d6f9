import type { PostId, UserId } from '../../core/ids.js';
import { hashOf, type IdSet } from '../../core/maps.js';
import { withMembers } from '../../core/with-members.js';

/** How far back the log reaches, in changes, when it is shortest. */
const REACH = 8_000;

/** A power of two. Authors who share a slot only cost time. */
const SLOTS = 16_384;

/** A change of a user's posts; `id` is undefined if it is unknown. */
export interface PostChange {
  readonly authorId: UserId;
  readonly id: PostId | undefined;
  readonly isInsert: boolean;
}

interface LoggedChange extends PostChange {
  /** The end of the log after the change before it with an author of the same slot, or 0. */
  readonly before: number;
}

/** The slots of some authors, each once. */
export type AuthorSlots = Uint16Array;

/**
 * The last changes of all users' posts, which readers merge into their lists. A reader looks up the newest change of each
 * author instead of walking over those of all others.
 */
export class PostLog {
  private changes: LoggedChange[] = [];
  /** The number of changes that were discarded. */
  private start = 0;
  /** For each slot, the end of the log after the last change with one of its authors. */
  private readonly ends = new Float64Array(SLOTS);
  private deleted = new Set<PostId>();

  /** The number of changes so far. */
  get end(): number {
    return this.start + this.changes.length;
  }

  append(change: PostChange): void {
    const slot = slotOf(change.authorId);
    this.changes.push(withMembers(change, { before: this.ends[slot] as number }));
    this.ends[slot] = this.end;
    if (!change.isInsert && change.id !== undefined) this.deleted.add(change.id);
    if (this.changes.length >= 2 * REACH) this.shorten();
  }

  /**
   * Returns the changes after the first `end` ones by authors of these slots, among them other authors. Those of each author
   * are in their order. Returns undefined if the log does not reach back so far.
   */
  since(end: number, slots: AuthorSlots): readonly PostChange[] | undefined {
    if (end < this.start) return undefined;
    const { ends, changes, start } = this;
    const found: PostChange[] = [];
    for (let index = 0; index < slots.length; index += 1) {
      for (let at = ends[slots[index] as number] as number; at > end;) {
        const change = changes[at - 1 - start] as LoggedChange;
        found.push(change);
        at = change.before;
      }
    }
    return found.reverse();
  }

  /** Reports whether the log has the deletion of the post. */
  hasDeleted(id: PostId): boolean {
    return this.deleted.has(id);
  }

  private shorten(): void {
    this.start += this.changes.length - REACH;
    this.changes = this.changes.slice(-REACH);
    this.deleted = new Set(
      this.changes.flatMap(({ id, isInsert }) => (isInsert || id === undefined ? [] : [id])),
    );
  }
}

export function slotsOf(authors: IdSet<UserId>, ...others: readonly UserId[]): AuthorSlots {
  const slots = new Set(others.map(slotOf));
  authors.forEach((id) => slots.add(slotOf(id)));
  return Uint16Array.from(slots);
}

function slotOf(authorId: UserId): number {
  return hashOf(authorId) % SLOTS;
}
