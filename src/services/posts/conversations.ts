import type { ConversationPart, ReplyNode } from '../../core/conversation.js';
import type { PostId } from '../../core/ids.js';
import { isBackward, keysOf, pageOf, type Page, type PageRequest } from '../../core/page.js';
import { firstVersionId, type Post } from '../../core/post.js';
import type { Queryable } from '../../database/engine.js';
import { listHiddenReplies, listReplies } from '../../stores/post-links.js';
import { findPost } from '../../stores/posts.js';

/** Bounds the reads per request, whatever the length of the conversation. */
const MAX_ABOVE = 30;
const DIRECT_REPLIES = 20;
const REPLIES_OF_A_REPLY = 3;
const MAX_BELOW = 120;

export type ConversationService = ReturnType<typeof createConversationService>;

export function createConversationService({ engine }: { readonly engine: Queryable }) {
  return {
    /** Returns the conversation around a stored post, without visibility filtering; `after` is the last direct reply of the previous page. */
    around: (post: Post, after?: PostId) => partAround(engine, post, after),
    /** Does the same for the post with this id; undefined if it is not stored. */
    aroundId: async (id: PostId, after?: PostId): Promise<ConversationPart | undefined> => {
      const post = await findPost(engine, id);
      return post && partAround(engine, post, after);
    },
    /** Lists the hidden replies of the conversation of a post, newest first. */
    listHidden: async (id: PostId, request: PageRequest): Promise<Page<PostId>> => {
      const post = await findPost(engine, id);
      const hidden = post ? [...(await listHiddenReplies(engine, post.conversationId))] : [];
      const { above, upTo } = keysOf(request);
      const inWindow = hidden.filter((each) => each > above && each <= upTo);
      inWindow.sort((one, other) => (one < other === isBackward(request) ? -1 : 1));
      return pageOf(inWindow.slice(0, request.limit + 1), request, (each) => each);
    },
    /** Returns the replies after an id: direct ones, and those that the first page below the post has; in no order. */
    newReplies: async (post: Post, sinceId: PostId): Promise<PostId[]> => {
      const { below } = await partAround(engine, post);
      const direct = await listReplies(engine, firstVersionId(post), sinceId, MAX_BELOW);
      const hidden = await listHiddenReplies(engine, post.conversationId);
      const found = new Set([...direct.filter((id) => !hidden.has(id)), ...below.flatMap(idsOfNode)]);
      return [...found].filter((id) => id > sinceId);
    },
  };
}

function idsOfNode({ id, replies }: ReplyNode): PostId[] {
  return [id, ...replies.flatMap(idsOfNode)];
}

async function partAround(db: Queryable, post: Post, after?: PostId): Promise<ConversationPart> {
  const hidden = await listHiddenReplies(db, post.conversationId);
  const above = await listAbove(db, post);
  const found = await listReplies(db, firstVersionId(post), after ?? -1n, DIRECT_REPLIES + 1);
  const direct = found.slice(0, DIRECT_REPLIES);
  const tree = new ReplyTree(hidden);
  const below = tree.add(direct);
  await tree.grow(db, below);
  return {
    ...above,
    below,
    isHidden: hidden.has(firstVersionId(post)),
    hasHidden: tree.hasHidden,
    nextAfter: found.length > DIRECT_REPLIES ? direct.at(-1) : undefined,
  };
}

async function listAbove(
  db: Queryable,
  post: Post,
): Promise<Pick<ConversationPart, 'above' | 'hasMoreAbove'>> {
  const above: PostId[] = [];
  let parentId = post.inReplyToPostId;
  while (parentId !== undefined && above.length < MAX_ABOVE) {
    above.unshift(parentId);
    parentId = (await findPost(db, parentId))?.inReplyToPostId;
  }
  return { above, hasMoreAbove: parentId !== undefined };
}

interface GrowingNode extends ReplyNode {
  readonly replies: GrowingNode[];
  hasMore: boolean;
}

/** Collects nested replies level by level, up to MAX_BELOW. */
class ReplyTree {
  hasHidden = false;
  private size = 0;

  constructor(private readonly hidden: ReadonlySet<PostId>) {}

  add(ids: readonly PostId[]): GrowingNode[] {
    const shown = ids.filter((id) => !this.hidden.has(id));
    if (shown.length < ids.length) this.hasHidden = true;
    this.size += shown.length;
    return shown.map((id) => ({ id, replies: [], hasMore: false }));
  }

  async grow(db: Queryable, level: readonly GrowingNode[]): Promise<void> {
    const found = await Promise.all(level.map(({ id }) => listReplies(db, id, -1n, REPLIES_OF_A_REPLY + 1)));
    const next: GrowingNode[] = [];
    level.forEach((node, index) => {
      const ids = found[index] ?? [];
      const room = Math.min(REPLIES_OF_A_REPLY, MAX_BELOW - this.size);
      node.replies.push(...this.add(ids.slice(0, Math.max(0, room))));
      node.hasMore = ids.length > Math.max(0, room);
      next.push(...node.replies);
    });
    if (next.length > 0) await this.grow(db, next);
  }
}
