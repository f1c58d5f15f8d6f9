import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import type { Answer } from '../../../http/answer.js';
import type { WireIncludes, WireUser } from '../../api/objects.js';
import { userPicture } from '../../posts/author.js';
import { nextPageLink } from '../../posts/user-list.js';
import { showPage } from '../posts/public-pages.js';
import { timeText } from '../../times.js';
import type { SignedInVisit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { EVENT_SELECTION, excerptOf } from './message-events.js';
import { conversationEnd, MESSAGES_PATH, NEW_MESSAGE_PATH } from './message-paths.js';
import { titleOf, type WireConversation } from './message-people.js';

const CONVERSATIONS_PER_PAGE = 50;

/** `/messages`: conversations; `/messages/to/{username}` leads to the one with a user. */
export const conversationListRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser(MESSAGES_PATH, (visit) => showConversations(visit, context)),
  pages.showToUser(`${MESSAGES_PATH}/to/{username}`, async (visit) => {
    const username = visit.request.path['username'] ?? '';
    const { data } = await visit.api.call<WireUser>('findUserByUsername', { username });
    if (!data) throw new PipitError({ code: 'route-not-found' });
    return visit.goTo(conversationEnd(pairOf(String(visit.viewer.user.id), data.id)));
  }),
];

/** Returns the id of the conversation of two users: the smaller id comes first. */
export function pairOf(one: string, other: string): string {
  return BigInt(one) < BigInt(other) ? `${one}-${other}` : `${other}-${one}`;
}

async function showConversations(visit: SignedInVisit, context: WebContext): Promise<Answer> {
  const page = visit.query.get('page') ?? undefined;
  const {
    data = [],
    includes = {},
    meta,
  } = await visit.api.call<WireConversation[]>('getConversations', {
    max_results: CONVERSATIONS_PER_PAGE,
    pagination_token: page,
    ...EVENT_SELECTION,
  });
  const ownId = String(visit.viewer.user.id);
  const entries = data.map((each) => conversationEntry(each, { includes, ownId }, context));
  return showPage(
    visit,
    { title: 'Messages', isPublic: false },
    html`<div class="title-row">
        <h1>Messages</h1>
        <a class="button small" href="${NEW_MESSAGE_PATH}">New message</a>
      </div>
      <div data-live="${page === undefined && 'messages'}"><div class="timeline">${entries}</div></div>
      ${
        entries.length === 0 &&
        html`<p class="absent">No messages yet. Write to somebody here, or from the profile of a person.</p>`
      }
      ${nextPageLink(MESSAGES_PATH, meta?.next_token, 'Older conversations')}`,
  );
}

function conversationEntry(
  { id, name, participant_ids: participantIds, last_event: last, unread_count: unread }: WireConversation,
  { includes, ownId }: { readonly includes: WireIncludes; readonly ownId: string },
  { publicUrl, clock }: WebContext,
): Html {
  const others = participantIds.filter((each) => each !== ownId || participantIds.length === 1);
  const users = others.flatMap((each) => (includes.users ?? []).find((user) => user.id === each) ?? []);
  const [first] = users;
  return html`<article class="post notice ${unread > 0 ? 'unread' : ''}">
    <div class="head">
      ${first && userPicture(first, '_bigger', publicUrl)}
      <div>
        <a class="author" href="${conversationEnd(id)}"><bdi class="name">${titleOf(name, users)}</bdi></a>
        ${last.created_at !== undefined && html`<span class="time">${timeText(Date.parse(last.created_at), clock())}</span>`}
        ${unread > 0 && html`<span class="badge-count">${unread}<span class="hidden"> unread</span></span>`}
      </div>
    </div>
    <p class="excerpt" dir="auto">${excerptOf(last, includes)}</p>
  </article>`;
}
