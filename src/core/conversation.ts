import type { PostId } from './ids.js';

/** A reply with its own replies. */
export interface ReplyNode {
  readonly id: PostId;
  readonly replies: readonly ReplyNode[];
  /** True when the reply has more replies than these. */
  readonly hasMore: boolean;
}

/** The part of a conversation around a post, as ids. */
export interface ConversationPart {
  /** The ancestors of the post, from the root down; the last one is its parent. */
  readonly above: readonly PostId[];
  /** True when there are more ancestors above the first of these. */
  readonly hasMoreAbove: boolean;
  /** True when the post is a reply that the conversation's author has hidden. */
  readonly isHidden: boolean;
  /** A page of direct replies, oldest first, each with nested replies. Hidden replies are omitted. */
  readonly below: readonly ReplyNode[];
  /** True when hidden replies were omitted. */
  readonly hasHidden: boolean;
  /** The cursor for the next page: the last direct reply of this page. */
  readonly nextAfter?: PostId;
}
