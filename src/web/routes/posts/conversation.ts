import { html, type Html } from '../../../api/reference/html.js';
import { shownName } from '../../shown-name.js';
import type { PostCard } from '../../posts/load-cards.js';
import { postCard, type CardContext } from '../../posts/post-card.js';
import { postPath, profilePath } from '../../posts/paths.js';

/** A reply with its own replies. */
interface ReplyNode {
  readonly id: string;
  readonly replies: readonly ReplyNode[];
  readonly has_more: boolean;
}

/** The part of a conversation around a post (docs/api/pipit.md#conversation). */
export interface ConversationPart {
  readonly above: readonly string[];
  readonly below: readonly ReplyNode[];
  readonly is_hidden: boolean;
  readonly has_more_above: boolean;
  readonly has_hidden: boolean;
  /** The value of `after` for the next page of replies. */
  readonly next_token?: string;
}

/** The cards of a conversation, by id. */
export type Cards = ReadonlyMap<string, PostCard>;

/** Returns the ids of every post in a part of a conversation. */
export function idsOfPart({ above, below }: ConversationPart): string[] {
  return [...above, ...below.flatMap(idsOfNode)];
}

function idsOfNode({ id, replies }: ReplyNode): string[] {
  return [id, ...replies.flatMap(idsOfNode)];
}

/** The number of ancestors that are expanded; the others are collapsed, so that the post stays near the top. */
const OPEN_ABOVE = 2;

/** Returns the ancestors of a post, root first. Posts that the viewer may not see are shown as unavailable. */
export function postsAbove(part: ConversationPart, cards: Cards, context: CardContext): Html | undefined {
  const { above, has_more_above: hasMoreAbove } = part;
  const [top] = above;
  if (top === undefined) return undefined;
  const shown = above.map((id) => {
    const card = cards.get(id);
    return card ? postCard(card, context) : html`<p class="post absent">This post is not available.</p>`;
  });
  const folded = shown.slice(0, -OPEN_ABOVE);
  const link = hasMoreAbove && html`<p class="more"><a href="/i/status/${top}">Earlier posts</a></p>`;
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
  cards: Cards,
  context: CardContext,
): Html | undefined {
  const { below, has_hidden: hasHidden, next_token: nextAfter } = part;
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
        <a class="button plain" href="${path}?after=${nextAfter}" rel="next">More replies</a>
      </p>`
    }
  </section>`;
}

/**
 * Returns a reply and its replies, depth first. Omits replies that the viewer may not see or that an edit replaced.
 */
function branch(node: ReplyNode, cards: Cards, context: CardContext, parent?: PostCard): Html[] {
  const card = cards.get(node.id);
  if (!card || isReplaced(card)) return [];
  const more = node.has_more && moreReplies(card);
  const [first, ...others] = node.replies;
  return [
    postCard(card, context, { note: parent && answerNote(parent) }),
    ...(first ? branch(first, cards, context) : []),
    ...others.flatMap((other) => branch(other, cards, context, card)),
    ...(more ? [more] : []),
  ];
}

function isReplaced({ post }: PostCard): boolean {
  const newest = post.edit_history_tweet_ids?.at(-1);
  return newest !== undefined && newest !== post.id;
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
