import type { PostId } from '../core/ids.js';
import { writeJson } from '../core/wire-json.js';
import { withMembers } from '../core/with-members.js';
import { messageOf } from '../http/message-stream.js';
import type { StreamMatch } from '../services/streams/live-rules.js';
import type { ApiContext } from './context.js';
import type { viewOf } from './viewer.js';

/** The number of posts that are loaded and presented at a time: milliseconds of work. */
const POSTS_AT_ONCE = 100;

/**
 * Returns the messages of a stream for posts: those that are visible, as in a lookup, with the members that `more`
 * returns (docs/api/streams.md#messages).
 */
export async function postMessages(
  { views }: Pick<ApiContext, 'views'>,
  view: ReturnType<typeof viewOf>,
  ids: readonly PostId[],
  more: (id: PostId) => object = () => ({}),
): Promise<Buffer[]> {
  const messages: Buffer[] = [];
  for (let start = 0; start < ids.length; start += POSTS_AT_ONCE) {
    const part = ids.slice(start, start + POSTS_AT_ONCE);
    const envelopes = await views.eachPost({ ids: part, ...view });
    for (const [index, id] of part.entries()) {
      const envelope = envelopes[index];
      if (envelope?.data === undefined) continue;
      messages.push(messageOf(writeJson(withMembers(envelope, more(id))).toString()));
    }
  }
  return messages;
}

/** Returns the member of a message that lists the rules that a post matches. */
export function matchingRules(rules: StreamMatch['rules']): object {
  return { matching_rules: rules.map(({ id, tag = '' }) => ({ id: String(id), tag })) };
}
