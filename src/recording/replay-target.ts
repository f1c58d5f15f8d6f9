import type { WireObject } from '../archive/wire-json.js';
import { NamedError } from '../core/named-error.js';

/** A post could not be created; the message says why. */
export class ReplayRefused extends NamedError {}

/** A post to create; ids are those of the network. */
export interface ReplayedPost {
  readonly text: string;
  /** The name of the app that wrote it, where it can be chosen. */
  readonly source?: string;
  readonly inReplyToId?: string;
  readonly quotedId?: string;
  readonly mediaIds?: readonly string[];
  readonly placeId?: string;
  readonly poll?: { readonly options: readonly string[]; readonly durationMinutes: number };
}

/** Entries of a world file. */
export interface ReplayedEntries {
  readonly users?: readonly WireObject[];
  readonly media?: readonly WireObject[];
  readonly places?: readonly WireObject[];
}

/** The network into which archives are replayed. */
export interface ReplayTarget {
  /** Adds entries of a world file that do not exist. Resolves to false, and adds nothing, if one is refused. */
  add(entries: ReplayedEntries): Promise<boolean>;
  /** Creates a post and resolves to its id. Throws ReplayRefused. */
  post(authorId: string, post: ReplayedPost): Promise<string>;
  /** Reposts a post. Throws ReplayRefused. */
  repost(authorId: string, postId: string): Promise<void>;
}
