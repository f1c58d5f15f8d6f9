import { html, type Html } from '../../../api/reference/html.js';
import { firstIdAt } from '../../../core/snowflake.js';
import type { WireReply } from '../../../views/wire/conversation.js';
import { shownName } from '../../shown-name.js';
import type { PostCard } from '../../posts/load-cards.js';
import { postCard, type CardContext } from '../../posts/post-card.js';
import { foldThreads, type ShownPost, threadPlaces, type ThreadPlaces } from './own-thread.js';
import { postPath, profilePath } from '../../posts/paths.js';

/** The part of a conversation around a post (docs/api/pipit.md#conversation). */
export interface ConversationPart {
  readonly above: readonly string[];
  readonly below: readonly WireReply[];
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

function idsOfNode({ id, replies }: WireReply): string[] {
  return [id, ...replies.flatMap(idsOfNode)];
}

/** The number of ancestors that are expanded; the others are collapsed, so that the post stays near the top. */
const OPEN_ABOVE = 2;

/** Returns the ancestors of a post, root first. Posts that the viewer may not see are shown as unavailable. */
export function postsAbove(
  part: ConversationPart,
  main: PostCard,
  cards: Cards,
  context: CardContext,
): Html | undefined {
  const { above, has_more_above: hasMoreAbove } = part;
  const [top] = above;
  if (top === undefined) return undefined;
  const places = placesAround(part, main, cards);
  const shown = above.map((id) => {
    const card = cards.get(id);
    const place = places.get(id);
    return card
      ? postCard(card, context, { note: place === undefined ? undefined : threadNote(place) })
      : html`<p class="post absent">This post is not available.</p>`;
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
  const branches = below.map((node) => branch(node, cards)).filter((replies) => replies.length > 0);
  const places = placesAround(part, main, cards);
  const isEmpty = branches.length === 0 && !hasHidden && nextAfter === undefined;
  // Empty, it is the place of replies to come.
  const since = firstIdAt(context.nowMs);
  const live = html`data-live="replies" data-post="${main.post.id}" data-since="${since.toString()}"`;
  if (isEmpty) return html`<section aria-label="Replies" ${live}></section>`;
  const path = postPath(main.post.id, main.author);
  return html`<section aria-label="Replies" ${live}>
    <h2>Replies</h2>
    ${branches.map((replies) => shownBranch(replies, places, context))}
    ${
      hasHidden &&
      html`<p class="hint">
        The author of the conversation hid some replies. <a href="${path}/hidden">Show them</a>
      </p>`
    }
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
function branch(node: WireReply, cards: Cards, parent?: PostCard): Reply[] {
  const card = cards.get(node.id);
  if (!card || isReplaced(card)) return [];
  const [first, ...others] = node.replies;
  return [
    { card, parent },
    ...(first ? branch(first, cards) : []),
    ...others.flatMap((other) => branch(other, cards, card)),
    ...(node.has_more ? [{ card, isMore: true as const }] : []),
  ];
}

/** A reply in a branch; `parent` if it does not follow its parent directly. Or the link to more replies to one. */
interface Reply {
  readonly card: PostCard;
  readonly parent?: PostCard;
  readonly isMore?: true;
}

function shownBranch(replies: readonly Reply[], places: ThreadPlaces, context: CardContext): Html {
  const shown: ShownPost[] = [];
  const links: Html[] = [];
  for (const { card, parent, isMore } of replies) {
    if (isMore) links.push(moreReplies(card));
    else shown.push({ card, shown: postCard(card, context, { note: noteOn(card, places, parent) }) });
  }
  return html`<div class="thread">${foldThreads(shown)} ${links}</div>`;
}

function noteOn(card: PostCard, places: ThreadPlaces, parent?: PostCard): Html | undefined {
  const place = places.get(card.post.id);
  if (place !== undefined) return threadNote(place);
  return parent && answerNote(parent);
}

/** Returns the note on a post of a thread of one author. */
export function threadNote(place: string): Html {
  return html`<span class="mark">${place}</span>`;
}

/** Returns the places of the posts around the main one in threads of one author. */
export function placesAround(part: ConversationPart, main: PostCard, cards: Cards): ThreadPlaces {
  const chain = part.above.flatMap((id) => cards.get(id) ?? []);
  const ways = part.below.map((node) => firstWay(node, cards));
  const own = ways.find(({ chain: [first] }) => first?.post.author_id === main.post.author_id);
  const { chain: below = [], isWhole = true } = own ?? {};
  const others = ways.filter((way) => way !== own).map((way) => threadPlaces(way.chain, way.isWhole));
  const around = threadPlaces([...chain, main, ...below], isWhole);
  return new Map([...others, around].flatMap((places) => [...places]));
}

/** Returns a reply with the first reply to it, and so on. */
function firstWay(node: WireReply, cards: Cards): { readonly chain: PostCard[]; readonly isWhole: boolean } {
  const card = cards.get(node.id);
  const [first] = node.replies;
  if (!card || isReplaced(card)) return { chain: [], isWhole: true };
  const rest = first ? firstWay(first, cards) : { chain: [], isWhole: !node.has_more };
  return { chain: [card, ...rest.chain], isWhole: rest.isWhole };
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
