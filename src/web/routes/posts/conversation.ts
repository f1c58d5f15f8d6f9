import { html, type Html } from '../../../api/reference/html.js';
import type { PostId } from '../../../core/ids.js';
import type { ConversationPart, ReplyNode } from '../../../services/posts/conversations.js';
import type { CardSet } from '../../../views/cards/load-cards.js';
import type { PostCard } from '../../../views/cards/post-card.js';
import { shownName } from '../../shown-name.js';
import { postCard, type CardLook } from '../../posts/post-card.js';
import { postPath, profilePath } from '../../posts/paths.js';

/** Every post of a part of a conversation. */
export function idsOfPart({ above, below }: ConversationPart): PostId[] {
  return [...above, ...below.flatMap(idsOfNode)];
}

function idsOfNode({ id, replies }: ReplyNode): PostId[] {
  return [id, ...replies.flatMap(idsOfNode)];
}

/** So many of the posts above are open; the others are folded, so that the post itself is near the top. */
const OPEN_ABOVE = 2;

/** What a post answers, from the top down. Of what the viewer may not see it says only that there is something. */
export function postsAbove(part: ConversationPart, cards: CardSet, look: CardLook): Html | undefined {
  const { above, hasMoreAbove } = part;
  const [top] = above;
  if (top === undefined) return undefined;
  const shown = above.map((id) => {
    const card = cards.find(id);
    return card ? postCard(card, look) : html`<p class="post absent">This post is not available.</p>`;
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

/** The replies to a post, page by page. */
export function postsBelow(
  part: ConversationPart,
  main: PostCard,
  cards: CardSet,
  look: CardLook,
): Html | undefined {
  const { below, hasHidden, nextAfter } = part;
  const branches = below.map((node) => branch(node, cards, look)).filter((cardsOf) => cardsOf.length > 0);
  const isEmpty = branches.length === 0 && !hasHidden && nextAfter === undefined;
  if (isEmpty) return undefined;
  const path = postPath(main.post.id, main.author);
  return html`<section aria-label="Replies">
    <h2>Replies</h2>
    ${branches.map((cardsOf) => html`<div class="thread">${cardsOf}</div>`)}
    ${hasHidden && html`<p class="hint">Replies that the author of the conversation has hidden are left out.</p>`}
    ${
      nextAfter !== undefined &&
      html`<p class="more">
        <a class="button plain" href="${path}?after=${String(nextAfter)}" rel="next">More replies</a>
      </p>`
    }
  </section>`;
}

/** A reply and what follows from it, depth first; nothing when the viewer may not see it, or an edit has replaced it. */
function branch(node: ReplyNode, cards: CardSet, look: CardLook, parent?: PostCard): Html[] {
  const card = cards.find(node.id);
  if (!card || isReplaced(card)) return [];
  const more = node.hasMore && moreReplies(card);
  const [first, ...others] = node.replies;
  return [
    postCard(card, look, { note: parent && answerNote(parent) }),
    ...(first ? branch(first, cards, look) : []),
    ...others.flatMap((other) => branch(other, cards, look, card)),
    ...(more ? [more] : []),
  ];
}

function isReplaced({ post }: PostCard): boolean {
  const newest = post.detail.editHistory?.at(-1);
  return newest !== undefined && newest !== String(post.id);
}

/** Whom a post answers that does not stand right below it. */
function answerNote({ author }: PostCard): Html {
  return author
    ? html`In reply to <a href="${profilePath(author)}"><bdi>${shownName(author)}</bdi></a>`
    : html`In reply to a post above`;
}

function moreReplies({ post, author }: PostCard): Html {
  return html`<p class="more"><a href="${postPath(post.id, author)}">More replies to this</a></p>`;
}
