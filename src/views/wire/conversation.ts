import { flag, id, listOf, type Schema, object, ref, text } from '../../core/json-schema.js';
import type { PostId } from '../../core/ids.js';
import { byDefault, required, type Fields } from './field.js';

/** A reply with its own replies. */
export interface Branch {
  readonly id: PostId;
  readonly replies: readonly Branch[];
  readonly hasMore: boolean;
}

/** A part of a conversation, as ids. */
export interface ConversationPart {
  readonly above: readonly PostId[];
  readonly hasMoreAbove: boolean;
  readonly isHidden: boolean;
  readonly below: readonly Branch[];
  readonly hasHidden: boolean;
  readonly nextAfter?: PostId;
}

interface WireBranch {
  readonly id: string;
  readonly replies: readonly WireBranch[];
  readonly has_more: boolean;
}

/** A reply in a conversation, with its own replies. */
export const conversationReply = object({ id, replies: listOf(ref('ConversationReply')), has_more: flag }, [
  'id',
  'replies',
  'has_more',
]) as unknown as Schema<WireBranch>;

/** A part of a conversation (docs/api/pipit.md#conversation). */
export const conversationFields = {
  above: required(listOf(id), ({ above }) => above.map(String)),
  below: required(listOf(conversationReply), ({ below }) => below.map(presentBranch)),
  has_more_above: required(flag, ({ hasMoreAbove }) => hasMoreAbove),
  is_hidden: required(flag, ({ isHidden }) => isHidden),
  has_hidden: required(flag, ({ hasHidden }) => hasHidden),
  next_token: byDefault(text, ({ nextAfter }) => (nextAfter === undefined ? undefined : String(nextAfter))),
} satisfies Fields<ConversationPart>;

function presentBranch({ id: postId, replies, hasMore }: Branch): WireBranch {
  return { id: String(postId), replies: replies.map(presentBranch), has_more: hasMore };
}
