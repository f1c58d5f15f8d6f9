import { html, type Html } from '../../../api/reference/html.js';
import type { PostId } from '../../../core/ids.js';
import type { ConversationPart, ReplyNode } from '../../../services/posts/conversations.js';
import type { CardSet } from '../../../views/cards/load-cards.js';
import type { PostCard } from '../../../views/cards/post-card.js';
import { shownName } from '../../shown-name.js';
import { postCard, type CardContext } from '../../posts/post-card.js';
import { postPath, profilePath } from '../../posts/paths.js';

/** Returns the ids of every post in a part of a conversation. */
export function idsOfPart({ above, below }: ConversationPart): PostId[] {
  return [...above, ...below.flatMap(idsOfNode)];
}

function idsOfNode({ id, replies }: ReplyNode): PostId[] {
  return [id, ...replies.flatMap(idsOfNode)];
}

/** The number of ancestors that are expanded; the others are collapsed, so that the post stays near the top. */
const OPEN_ABOVE = 2;

/** Returns the ancestors of a post, root first. Posts that the viewer may not see are shown as unavailable. */
export function postsAbove(part: ConversationPart, cards: CardSet, context: CardContext): Html | undefined {
  const { above, hasMoreAbove } = part;
  const [top] = above;
  if (top === undefined) return undefined;
  const shown = above.map((id) => {
    const card = cards.find(id);
    return card ? postCard(card, context) : html`<p class="post absent">This post is not available.</p>`;
  });
  const folded = shown.slice(0, -OPEN_ABOVE);
  const link = hasMoreAbove && html`<p class="more"><a href="/i/status/${String(top)}">Earlier posts</a></p>`;
  return html`<section aria-label="Earlier in this conversation">
    ${
      folded.length > 0 &&
      html`<details class="earlier">
        <summary>${folded.length} earlier ${folded.length === 1 ? 'post' : 'posts'}</summary>
        ${link}
        <div class="thread">${folded}</div>
      </details>`
    }
    <div class="thread">${shown.slice(-OPEN_ABOVE)}</div>
  </section>`;
}

/** Returns a page of replies to a post. */
export function postsBelow(
  part: ConversationPart,
  main: PostCard,
  cards: CardSet,
  context: CardContext,
): Html | undefined {
  const { below, hasHidden, nextAfter } = part;
  const branches = below.map((node) => branch(node, cards, context)).filter((cardsOf) => cardsOf.length > 0);
  const isEmpty = branches.length === 0 && !hasHidden && nextAfter === undefined;
  if (isEmpty) return undefined;
  const path = postPath(main.post.id, main.author);
  return html`<section aria-label="Replies">
    <h2>Replies</h2>
    ${branches.map((cardsOf) => html`<div class="thread">${cardsOf}</div>`)}
    ${hasHidden && html`<p class="hint">Replies hidden by the author of the conversation are not shown.</p>`}
    ${
      nextAfter !== undefined &&
      html`<p class="more">
        <a class="button plain" href="${path}?after=${String(nextAfter)}" rel="next">More replies</a>
      </p>`
    }
  </section>`;
}

/**
 * Returns a reply and its replies, depth first. Omits replies that the viewer may not see or that an edit replaced.
 */
function branch(node: ReplyNode, cards: CardSet, context: CardContext, parent?: PostCard): Html[] {
  const card = cards.find(node.id);
  if (!card || isReplaced(card)) return [];
  const more = node.hasMore && moreReplies(card);
  const [first, ...others] = node.replies;
  return [
    postCard(card, context, { note: parent && answerNote(parent) }),
    ...(first ? branch(first, cards, context) : []),
    ...others.flatMap((other) => branch(other, cards, context, card)),
    ...(more ? [more] : []),
  ];
}

function isReplaced({ post }: PostCard): boolean {
  const newest = post.detail.editHistory?.at(-1);
  return newest !== undefined && newest !== String(post.id);
}

/** Returns the note on a reply that does not follow its parent directly. */
function answerNote({ author }: PostCard): Html {
  return author
    ? html`In reply to <a href="${profilePath(author)}"><bdi>${shownName(author)}</bdi></a>`
    : html`In reply to a post above`;
}

function moreReplies({ post, author }: PostCard): Html {
  return html`<p class="more"><a href="${postPath(post.id, author)}">More replies to this</a></p>`;
}
