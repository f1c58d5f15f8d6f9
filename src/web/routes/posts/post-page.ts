import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { parseId, type PostId } from '../../../core/ids.js';
import type { ConversationPart } from '../../../services/posts/conversations.js';
import type { CardSet } from '../../../views/cards/load-cards.js';
import type { PostCard } from '../../../views/cards/post-card.js';
import { mediaFile } from '../../posts/media-file.js';
import { shownName } from '../../shown-name.js';
import { postPath } from '../../posts/paths.js';
import { linkKind, postCard, textOfPost } from '../../posts/post-card.js';
import { plainText, titleText } from '../../posts/rich-text.js';
import { faceImage, socialTags } from '../../posts/social-tags.js';
import type { Visit } from '../../visit.js';
import { idsOfPart, postsAbove, postsBelow } from './conversation.js';
import { cardContext, refusePage, showPage } from './public-pages.js';
import type { WebContext } from '../../web-context.js';

/** `/{username}/status/{id}`: a post in its conversation; the query parameter `after` pages through the replies. */
export async function showPost(visit: Visit, deps: WebContext): Promise<Answer> {
  const found = await findCard(visit, deps);
  if (!('card' in found)) return found;
  const { card } = found;
  const after = parseId<PostId>(visit.query.get('after') ?? '');
  const part = await deps.conversations.around(card.post, after);
  const cards = await deps.views.cards({ ids: idsOfPart(part), viewerId: visit.viewer?.user.id });
  return showCard(visit, deps, card, conversation(card, part, cards, deps));
}

/** `/{username}/status/{id}/photo/{number}` or `video`: one of the post's media in full size. */
export async function showAttached(visit: Visit, deps: WebContext): Promise<Answer> {
  const number = Number(visit.request.path['number']);
  const found = await findCard(visit, deps);
  if (!('card' in found)) return found;
  const { card } = found;
  const media = card.media[number - 1];
  if (!media) return visit.goTo(postPath(card.post.id, card.author));
  return showCard(
    visit,
    deps,
    card,
    html`<div class="attached single">${mediaFile(media, deps.publicUrl)}</div>
      ${media.altText !== undefined && media.altText !== '' && html`<p class="hint" dir="auto">${media.altText}</p>`}
      ${card.media.length > 1 && otherMedia(card, number)}
      ${postCard({ ...card, media: [] }, cardContext(deps), { isMain: true })}`,
  );
}

/** Returns the post in the path, or a redirect to its canonical path, or the refusal. */
async function findCard(visit: Visit, { views }: WebContext): Promise<{ readonly card: PostCard } | Answer> {
  const { path, url } = visit.request;
  const id = parseId<PostId>(path['id'] ?? '');
  if (id === undefined) throw new PipitError({ code: 'route-not-found' });
  const cards = await views.cards({ ids: [id], viewerId: visit.viewer?.user.id, isExact: true });
  const card = cards.find(id);
  if (!card) {
    const reason = cards.visibility(id);
    if (reason === undefined || reason === 'visible') throw new PipitError({ code: 'route-not-found' });
    return refusePage(visit, reason);
  }
  const right = postPath(card.post.id, card.author);
  const [sent = '', ...query] = url.split('?');
  const tail = /\/(?:photo|video)\/[0-9]+$/.exec(sent)?.[0] ?? '';
  if (sent === right + tail) return { card };
  return visit.goTo([right + tail, ...query].join('?'));
}

async function showCard(visit: Visit, deps: WebContext, card: PostCard, body: Html): Promise<Answer> {
  const { post, author } = card;
  const name = author ? shownName(author) : 'Unknown account';
  const publicCards = await deps.views.cards({ ids: [post.id], viewerId: undefined, isExact: true });
  const title = `${name}: ${excerpt(plainText(textOfPost(card)))}`;
  return showPage(
    visit,
    { title, head: tagsOf(card, deps.publicUrl), isPublic: publicCards.visibility(post.id) === 'visible' },
    html`<h1 class="hidden">Post by <bdi>${name}</bdi></h1>
      ${body}`,
  );
}

function conversation(card: PostCard, part: ConversationPart, cards: CardSet, deps: WebContext): Html {
  const context = cardContext(deps);
  const note = part.isHidden ? html`Hidden by the author of the conversation` : undefined;
  return html`${postsAbove(part, cards, context)} ${newerVersion(card)}
  ${postCard(card, context, { isMain: true, note })} ${postsBelow(part, card, cards, context)}`;
}

function newerVersion({ post, author }: PostCard): Html | undefined {
  const newest = parseId<PostId>(post.detail.editHistory?.at(-1) ?? '');
  if (newest === undefined || newest === post.id) return undefined;
  return html`<p class="note">
    There is a <a href="${postPath(newest, author)}">newer version</a> of this post.
  </p>`;
}

function otherMedia({ post, author, media }: PostCard, number: number): Html {
  const path = postPath(post.id, author);
  return html`<nav class="pages" aria-label="Media of this post">
    ${media.map((each, index) =>
      index + 1 === number
        ? html`<strong aria-current="page">${index + 1}</strong>`
        : html`<a href="${path}/${linkKind(each)}/${index + 1}">${index + 1}</a>`,
    )}
  </nav>`;
}

const MAX_TITLE = 70;

function excerpt(text: string): string {
  const characters = [...titleText(text)];
  return characters.length <= MAX_TITLE
    ? characters.join('')
    : `${characters.slice(0, MAX_TITLE - 1).join('')}…`;
}

function tagsOf(card: PostCard, publicUrl: string): Html {
  const { post, author, media } = card;
  const [first] = media;
  const picture = post.possiblySensitive ? undefined : (first?.previewImageUrl ?? first?.url);
  return socialTags(
    {
      type: 'article',
      title: author ? `${shownName(author)} (@${author.username})` : 'A post',
      description: plainText(textOfPost(card)),
      path: postPath(post.id, author),
      image: picture === undefined ? faceImage(author) : { url: picture, alt: first?.altText, isLarge: true },
    },
    publicUrl,
  );
}
