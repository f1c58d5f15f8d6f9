import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { parseId } from '../../../core/ids.js';
import { POST_SELECTION } from '../../api/fields.js';
import type { WirePost } from '../../api/objects.js';
import { idInPath } from '../../id-in-path.js';
import { cardOfId, cardsAmong, type PostCard } from '../../posts/load-cards.js';
import { mediaFile } from '../../posts/media-file.js';
import { shownName } from '../../shown-name.js';
import { postPath } from '../../posts/paths.js';
import { linkKind, postCard, textOfPost } from '../../posts/post-card.js';
import { plainText, titleText } from '../../posts/rich-text.js';
import { faceImage, socialTags } from '../../posts/social-tags.js';
import type { Visit } from '../../visit.js';
import { showListOfPost } from './about-post.js';
import { composer } from './composer.js';
import {
  type ConversationPart,
  idsOfPart,
  placesAround,
  postsAbove,
  postsBelow,
  threadNote,
} from './conversation.js';
import { showHistory } from './post-history.js';
import { cardContext, isSuspended, refusePage, showPage } from './public-pages.js';
import type { WebContext } from '../../web-context.js';

/** `/{username}/status/{id}`: a post in its conversation; the query parameter `after` pages through the replies. */
export async function showPost(visit: Visit, deps: WebContext): Promise<Answer> {
  const found = await findCard(visit);
  if (!('card' in found)) return found;
  const { card } = found;
  return showCard(visit, deps, card, await conversation(visit, card, deps));
}

/** `/{username}/status/{id}/photo/{number}` or `video`: one of the post's media in full size. */
export async function showAttached(visit: Visit, deps: WebContext): Promise<Answer> {
  const number = Number(visit.request.path['number']);
  const found = await findCard(visit);
  if (!('card' in found)) return found;
  const { card } = found;
  const media = card.media[number - 1];
  if (!media) return visit.goTo(postPath(card.post.id, card.author));
  return showCard(
    visit,
    deps,
    card,
    html`<div class="attached single">${mediaFile(media, deps.publicUrl)}</div>
      ${media.alt_text !== undefined && html`<p class="hint" dir="auto">${media.alt_text}</p>`}
      ${card.media.length > 1 && otherMedia(card, number)}
      ${postCard({ ...card, media: [] }, cardContext(visit, deps), { isMain: true })}`,
  );
}

/** The names of pages about a post, as their paths below that of the post have them. */
export const ABOUT_POSTS = ['history', 'quotes', 'hidden', 'likes', 'retweets'] as const;

/** Shows a page about the post in the path. */
export async function showAbout(
  visit: Visit,
  deps: WebContext,
  what: (typeof ABOUT_POSTS)[number],
): Promise<Answer> {
  const found = await findCard(visit);
  if (!('card' in found)) return found;
  if (what === 'history') return showHistory(visit, found.card);
  return showListOfPost(visit, deps, found.card, what);
}

/** Matches what follows the path of a post in those of its media and of the pages about it. */
const TAIL = new RegExp(String.raw`/(?:(?:photo|video)/[0-9]+|${ABOUT_POSTS.join('|')})$`);

/** Returns the post in the path, or a redirect to its canonical path, or the refusal. */
async function findCard(visit: Visit): Promise<{ readonly card: PostCard } | Answer> {
  const { card, errors } = await cardOfId(visit.api, idInPath(visit));
  if (!card) {
    if (isSuspended({ errors })) return refusePage(visit, 'suspended');
    if (errors?.some(({ type }) => type.endsWith('/not-authorized-for-resource')))
      return refusePage(visit, 'not-authorized');
    throw new PipitError({ code: 'route-not-found' });
  }
  const right = postPath(card.post.id, card.author);
  const [sent = '', ...query] = visit.request.url.split('?');
  const tail = TAIL.exec(sent)?.[0] ?? '';
  if (sent === right + tail) return { card };
  return visit.goTo([right + tail, ...query].join('?'));
}

async function showCard(visit: Visit, deps: WebContext, card: PostCard, body: Html): Promise<Answer> {
  const { post, author } = card;
  const name = author ? shownName(author) : 'Unknown account';
  const isPublic = visit.viewer === undefined || (await isVisibleToAll(visit, post));
  const title = `${name}: ${excerpt(plainText(textOfPost(card)))}`;
  return showPage(
    visit,
    { title, head: tagsOf(card, deps.publicUrl), isPublic },
    html`<h1 class="hidden">Post by <bdi>${name}</bdi></h1>
      ${body}`,
  );
}

async function isVisibleToAll(visit: Visit, { id }: WirePost): Promise<boolean> {
  const { data } = await visit.api.asApp().call<WirePost>('findTweetById', { id });
  return data !== undefined;
}

async function conversation(visit: Visit, card: PostCard, deps: WebContext): Promise<Html> {
  const found = await visit.api.call<ConversationPart>('getConversation', {
    id: card.post.id,
    after: parseId(visit.query.get('after') ?? '')?.toString(),
    ...POST_SELECTION,
  });
  const part = found.data ?? NOTHING_AROUND;
  const cards = await cardsAmong(visit.api, found, idsOfPart(part));
  const context = cardContext(visit, deps);
  const place = placesAround(part, card, cards).get(card.post.id);
  const note = part.is_hidden
    ? html`Hidden by the author of the conversation`
    : place === undefined
      ? undefined
      : threadNote(place);
  return html`${postsAbove(part, card, cards, context)} ${newerVersion(card)}
  ${postCard(card, context, { isMain: true, note })}
  ${visit.viewer && composer(visit, { written: { replyTo: card.post.id }, isShort: true, label: 'Your reply' })}
  ${postsBelow(part, card, cards, context)}`;
}

const NOTHING_AROUND: ConversationPart = {
  above: [],
  below: [],
  is_hidden: false,
  has_more_above: false,
  has_hidden: false,
};

function newerVersion({ post, author }: PostCard): Html | undefined {
  const newest = post.edit_history_tweet_ids?.at(-1);
  if (newest === undefined || newest === post.id) return undefined;
  return html`<p class="note">
    There is a <a href="${postPath(newest, author)}">newer version</a> of this post.
  </p>`;
}

/** Returns the place of one of several media and the links to its neighbours, which arrow keys follow. */
function otherMedia({ post, author, media }: PostCard, number: number): Html {
  const path = postPath(post.id, author);
  const link = (at: number, id: string, label: string): Html | undefined => {
    const each = media[at - 1];
    return (
      each &&
      html`<a class="button plain small" id="${id}" href="${path}/${linkKind(each)}/${at}">${label}</a>`
    );
  };
  return html`<nav class="pages" aria-label="Media of this post">
    ${link(number - 1, 'previous-media', 'Previous')} <span>${number} of ${media.length}</span>
    ${link(number + 1, 'next-media', 'Next')}
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
  const picture = post.possibly_sensitive === true ? undefined : (first?.preview_image_url ?? first?.url);
  return socialTags(
    {
      type: 'article',
      title: author ? `${shownName(author)} (@${author.username})` : 'A post',
      description: plainText(textOfPost(card)),
      path: postPath(post.id, author),
      image:
        picture === undefined ? faceImage(author) : { url: picture, alt: first?.alt_text, isLarge: true },
    },
    publicUrl,
  );
}
