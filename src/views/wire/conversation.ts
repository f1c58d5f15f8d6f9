import type { ConversationPart, ReplyNode } from '../../core/conversation.js';
import { flag, id, listOf, type Schema, object, ref, text } from '../../core/json-schema.js';
import { byDefault, required, type Fields } from './field.js';

/** A reply as answers write it. */
export interface WireReply {
  readonly id: string;
  readonly replies: readonly WireReply[];
  readonly has_more: boolean;
}

/** A reply in a conversation, with its own replies. */
export const conversationReply = object({ id, replies: listOf(ref('ConversationReply')), has_more: flag }, [
  'id',
  'replies',
  'has_more',
]) as unknown as Schema<WireReply>;

/** A part of a conversation (docs/api/pipit.md#conversation). */
export const conversationFields = {
  above: required(listOf(id), ({ above }) => above.map(String)),
  below: required(listOf(conversationReply), ({ below }) => below.map(presentReply)),
  has_more_above: required(flag, ({ hasMoreAbove }) => hasMoreAbove),
  is_hidden: required(flag, ({ isHidden }) => isHidden),
  has_hidden: required(flag, ({ hasHidden }) => hasHidden),
  next_token: byDefault(text, ({ nextAfter }) => (nextAfter === undefined ? undefined : String(nextAfter))),
} satisfies Fields<ConversationPart>;

function presentReply({ id: postId, replies, hasMore }: ReplyNode): WireReply {
  return { id: String(postId), replies: replies.map(presentReply), has_more: hasMore };
}
