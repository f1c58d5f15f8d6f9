import type { ConversationPart, ReplyNode } from '../core/conversation.js';
import type { PostId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import type { WireObject } from '../core/wire-json.js';
import { PostSet } from './hydrate/posts.js';
import { Includes, type Envelope } from './includes.js';
import { includePosts, type PostRequest, type ViewDeps } from './post-page.js';
import { hiddenError, wantedOf } from './present/partial-errors.js';
import { conversationFields } from './wire/conversation.js';
import { presenter } from './wire/presenter.js';

const present = presenter(conversationFields, new Set());

export interface ConversationRequest extends Omit<PostRequest, 'ids'> {
  readonly id: PostId;
  /** The conversation around the post; undefined if it is not stored. */
  readonly part: ConversationPart | undefined;
}

/**
 * Returns the conversation around a post as visible to the viewer: the ids of its posts, and the posts under
 * `includes`. Ancestors keep their ids if they are not visible; invisible replies are omitted with those below them.
 * Without a visible post there are only `errors`.
 */
export function viewConversation(
  deps: ViewDeps,
  request: ConversationRequest,
): Promise<Envelope<WireObject>> {
  const posts = new PostSet(deps.reads, request.viewerId);
  return posts.complete(() => presentConversation(deps, request, posts));
}

function presentConversation(
  deps: ViewDeps,
  { id, part, ...request }: ConversationRequest,
  posts: PostSet,
): Envelope<WireObject> {
  const includes = new Includes();
  const post = posts.find(id);
  const error = hiddenError(wantedOf('tweet', request, id), post && posts.visibility(post));
  if (error) includes.addError(error);
  if (error || !part) return includes.envelope<WireObject>(undefined);
  includePosts(deps, { ...request, ids: [id] }, posts, includes);
  const below = part.below.flatMap((reply) => shownReply(reply, posts));
  const above = part.above.map((ancestor) => posts.findNewest(ancestor)?.id ?? ancestor);
  const others = { ...request, parameter: undefined, ids: [...above, ...below.flatMap(idsOf)] };
  includePosts(deps, others, posts, includes);
  return includes.envelope(present({ ...part, above, below }));
}

/** Returns the branch with the newest version of each post, or nothing if its first post may not be shown. */
function shownReply({ id, replies, hasMore }: ReplyNode, posts: PostSet): ReplyNode[] {
  const post = posts.findNewest(id);
  if (!post || posts.visibility(post) !== 'visible' || isReplaced(post)) return [];
  return [{ id: post.id, hasMore, replies: replies.flatMap((reply) => shownReply(reply, posts)) }];
}

/** Reports whether a post is an imported version that an edit replaced. */
function isReplaced({ id, detail: { editHistory } }: Post): boolean {
  const newest = editHistory?.at(-1);
  return newest !== undefined && newest !== String(id);
}

function idsOf({ id, replies }: ReplyNode): PostId[] {
  return [id, ...replies.flatMap(idsOf)];
}
