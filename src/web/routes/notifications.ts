import type { Answer } from '../../http/answer.js';
import { html, type Html } from '../../api/reference/html.js';
import { USER_SELECTION } from '../api/fields.js';
import type { WireUser } from '../api/objects.js';
import { noticeNote } from '../notices.js';
import { icon, type IconName } from '../icons.js';
import { userPicture } from '../posts/author.js';
import { distinctPosts } from '../posts/distinct-posts.js';
import { cardsOfIds, type PostCard } from '../posts/load-cards.js';
import { postPath, profilePath } from '../posts/paths.js';
import { postCard, textOfPost } from '../posts/post-card.js';
import { excerptOf, plainText } from '../posts/rich-text.js';
import { nextPageLink } from '../posts/user-list.js';
import { shownName } from '../shown-name.js';
import { tabLinks } from '../tab-links.js';
import { timeText } from '../times.js';
import type { SignedInVisit } from '../visit.js';
import type { CreateRoutes, WebContext } from '../web-context.js';
import { cardContext, showPage } from './posts/public-pages.js';

/** A notification as the API shows it (docs/api/pipit.md#notifications). */
interface WireNotification {
  readonly id: string;
  readonly type: 'mention' | 'reply' | 'quote' | 'like' | 'repost' | 'follow' | 'follow_request';
  readonly created_at: string;
  readonly is_read: boolean;
  readonly post_id?: string;
  readonly user_ids: readonly string[];
  readonly user_count: number;
}

type NotificationType = WireNotification['type'];

/** The kinds that are posts of others, which the page shows whole. */
const POST_TYPES: readonly NotificationType[] = ['mention', 'reply', 'quote'];

/** A page of notifications, or of some kinds of them. */
interface Tab {
  readonly path: string;
  readonly label: string;
  /** Default: all kinds. */
  readonly types?: readonly NotificationType[];
  readonly none: string;
}

const ALL: Tab = {
  path: '/notifications',
  label: 'All',
  none: 'Nothing yet. Replies, likes and new followers appear here.',
};
const TABS: readonly Tab[] = [
  ALL,
  {
    path: '/notifications/mentions',
    label: 'Mentions',
    types: POST_TYPES,
    none: 'Nothing yet. Posts that mention, answer or quote you appear here.',
  },
];

/** `/notifications`: what others did that concerns the user. Showing the first page of all marks them as read. */
export const notificationRoutes: CreateRoutes = (pages, context) =>
  TABS.map((tab) => pages.showToUser(tab.path, (visit) => showNotifications(visit, context, tab)));

async function showNotifications(visit: SignedInVisit, context: WebContext, tab: Tab): Promise<Answer> {
  const token = visit.query.get('page') ?? undefined;
  const { data = [], meta } = await visit.api.call<WireNotification[]>('getNotifications', {
    pagination_token: token,
    types: tab.types,
  });
  const users = await usersOf(visit, data);
  const cards = await cardsOfIds(visit.api, [...new Set(data.flatMap(({ post_id: id }) => id ?? []))]);
  const [newest] = data;
  if (newest && token === undefined && tab === ALL)
    await visit.api.call('readNotifications', { up_to_id: newest.id });
  const entries = distinctPosts(data, ({ type, post_id: id }) =>
    isAboutPost(type) ? cards.get(id ?? '')?.post.id : undefined,
  ).flatMap((each) => entryOf(each, { visit, context, users, cards }) ?? []);
  return showPage(
    visit,
    { title: 'Notifications', isPublic: false },
    html`<h1>Notifications</h1>
      ${await noticeNote(visit)} ${tabLinks('Notifications', TABS, tab.path)}
      <div class="timeline">${entries}</div>
      ${entries.length === 0 && html`<p class="absent">${tab.none}</p>`}
      ${nextPageLink(tab.path, meta?.next_token, 'Older notifications')}`,
  );
}

/** The most users that one lookup takes. */
const MAX_LOOKUP = 100;

async function usersOf(
  { api }: SignedInVisit,
  notifications: readonly WireNotification[],
): Promise<Map<string, WireUser>> {
  const ids = [...new Set(notifications.flatMap(({ user_ids: userIds }) => userIds.slice(0, SHOWN_FACES)))];
  const found = new Map<string, WireUser>();
  for (let from = 0; from < ids.length; from += MAX_LOOKUP) {
    const part = ids.slice(from, from + MAX_LOOKUP);
    const { data = [] } = await api.call<WireUser[]>('findUsersById', { ids: part, ...USER_SELECTION });
    for (const user of data) found.set(user.id, user);
  }
  return found;
}

const SHOWN_FACES = 8;

interface Shown {
  readonly visit: SignedInVisit;
  readonly context: WebContext;
  readonly users: ReadonlyMap<string, WireUser>;
  readonly cards: ReadonlyMap<string, PostCard>;
}

/** Reports whether such a notification shows the whole post of another user. */
function isAboutPost(type: NotificationType): boolean {
  return POST_TYPES.includes(type);
}

/** Returns an entry; undefined if its post or its users are not available. */
function entryOf(notification: WireNotification, shown: Shown): Html | undefined {
  const { type, post_id: postId = '', is_read: isRead } = notification;
  const card = shown.cards.get(postId);
  if (isAboutPost(type)) {
    return (
      card && postCard(card, cardContext(shown.visit, shown.context), { note: html`${WORDS[type].text}` })
    );
  }
  const users = notification.user_ids.flatMap((id) => shown.users.get(id) ?? []);
  if (users.length === 0 || ((type === 'like' || type === 'repost') && !card)) return undefined;
  const { symbol, text, path } = WORDS[type];
  const { publicUrl, clock } = shown.context;
  return html`<article class="post notice ${isRead ? '' : 'unread'}">
    <p class="faces">
      ${icon(symbol)}
      ${users.map(
        (user) =>
          html`<a href="${profilePath(user)}" aria-label="${shownName(user)}"
            >${userPicture(user, '_normal', publicUrl)}</a
          >`,
      )}
    </p>
    <p>
      ${namesOf(users, notification.user_count)} ${text}
      <span class="time">${timeText(Date.parse(notification.created_at), clock())}</span>
    </p>
    ${card && html`<p class="excerpt" dir="auto"><a href="${postPath(card.post.id, card.author)}">${excerptOf(plainText(textOfPost(card)), MAX_EXCERPT) || 'Your post'}</a></p>`}
    ${path !== undefined && html`<p><a href="${path}">Answer follow requests</a></p>`}
  </article>`;
}

interface Words {
  readonly symbol: IconName;
  readonly text: string;
  readonly path?: string;
}

const WORDS: Readonly<Record<NotificationType, Words>> = {
  mention: { symbol: 'reply', text: 'Mentioned you' },
  reply: { symbol: 'reply', text: 'Replied to you' },
  quote: { symbol: 'repost', text: 'Quoted you' },
  like: { symbol: 'like', text: 'liked your post' },
  repost: { symbol: 'repost', text: 'reposted your post' },
  follow: { symbol: 'person', text: 'followed you' },
  follow_request: { symbol: 'person', text: 'asked to follow you', path: '/my-account/follow-requests' },
};

function namesOf(users: readonly WireUser[], count: number): Html {
  const [first, second] = users;
  const name = (user: WireUser): Html =>
    html`<a href="${profilePath(user)}"
      ><strong><bdi>${shownName(user)}</bdi></strong></a
    >`;
  if (!first) return html``;
  if (!second) return name(first);
  if (count === 2) return html`${name(first)} and ${name(second)}`;
  const others = count - 2;
  return html`${name(first)}, ${name(second)} and ${others} ${others === 1 ? 'other' : 'others'}`;
}

const MAX_EXCERPT = 140;
