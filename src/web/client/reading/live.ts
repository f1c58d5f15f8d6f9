import { element } from '../element.js';
import { showNewMessages } from './messages.js';
import { loadNewer, loadReplies } from './new-posts.js';
import { NewsBar } from './news-bar.js';
import type { PageWindow } from './page-window.js';
import { timelineOf } from './page-parts.js';

/** What the page follows, and what shows it. */
interface Followed {
  /** Returns the parameters of the stream. */
  readonly query: () => Readonly<Record<string, string>>;
  readonly bar: NewsBar;
  readonly event: 'home' | 'replies';
}

/**
 * Announces new posts, replies, notifications and messages as they come (docs/api/pipit.md#live). Only pages that are in
 * view hold a connection, of which browsers have few.
 */
export function followLive(list: PageWindow | undefined): void {
  if (!document.body.classList.contains('signed-in')) return;
  const followed = [homeOf(list, () => reopen()), repliesOf(() => reopen())].filter(
    (each) => each !== undefined,
  );
  let source: EventSource | undefined;
  const close = (): void => {
    source?.close();
    source = undefined;
  };
  const open = (): void => {
    if (source || document.visibilityState === 'hidden') return;
    const query = new URLSearchParams(Object.assign({}, ...followed.map((each) => each.query())));
    const opened = new EventSource(`/i/live?${query.toString()}`);
    source = opened;
    opened.addEventListener('replaced', close);
    opened.addEventListener('unread', ({ data }: MessageEvent<string>) => {
      showUnread(data);
      showNewMessages(countIn(data, 'unread_messages'));
    });
    for (const { event, bar } of followed)
      opened.addEventListener(event, ({ data }: MessageEvent<string>) => bar.show(countIn(data, 'count')));
  };
  const reopen = (): void => {
    close();
    open();
  };
  document.addEventListener('visibilitychange', () =>
    document.visibilityState === 'hidden' ? close() : open(),
  );
  addEventListener('pagehide', close);
  addEventListener('pageshow', open);
}

function homeOf(list: PageWindow | undefined, onLoaded: () => void): Followed | undefined {
  const timeline = timelineOf(document);
  if (!list || timeline?.dataset['newest'] === undefined) return undefined;
  return {
    event: 'home',
    query: () => ({ home_since_id: timeline.dataset['newest'] ?? '0' }),
    bar: new NewsBar(timeline, {
      words: (count) => worded(count, 'new post', 'new posts'),
      load: async () => {
        const posts = await loadNewer(timeline, list);
        onLoaded();
        return posts;
      },
    }),
  };
}

function repliesOf(onLoaded: () => void): Followed | undefined {
  const replies = document.querySelector<HTMLElement>('[data-live=replies]');
  if (!replies) return undefined;
  return {
    event: 'replies',
    query: () => ({
      replies_to_id: replies.dataset['post'] ?? '',
      replies_since_id: replies.dataset['since'] ?? '',
    }),
    bar: new NewsBar(replies, {
      words: (count) => worded(count, 'new reply', 'new replies'),
      load: async () => {
        const posts = await loadReplies();
        onLoaded();
        return posts;
      },
    }),
  };
}

function worded(count: number, one: string, several: string): string {
  return `${count > 99 ? '99+' : count} ${count === 1 ? one : several}`;
}

function countIn(json: string, member: string): number {
  const value = (JSON.parse(json) as Record<string, unknown>)[member];
  return typeof value === 'number' ? value : 0;
}

let title: string | undefined;

/** Shows what is unread in the navigation and in the title of the tab. */
function showUnread(json: string): void {
  const notifications = countIn(json, 'unread_count');
  const messages = countIn(json, 'unread_messages');
  showBadge('/notifications', notifications);
  showBadge('/messages', messages);
  title ??= document.title.replace(/^\(\d+\) /, '');
  const total = notifications + messages;
  document.title = total === 0 ? title : `(${total}) ${title}`;
}

function showBadge(path: string, count: number): void {
  const link = document.querySelector(`.main-links a[href="${path}"]`);
  const badge = link?.querySelector('.badge-count');
  if (count === 0) badge?.remove();
  else if (badge?.firstChild) badge.firstChild.textContent = shownCount(count);
  else link?.append(newBadge(count));
}

function newBadge(count: number): HTMLElement {
  const badge = element('b', 'badge-count', shownCount(count));
  badge.append(element('span', 'hidden', ' new'));
  return badge;
}

function shownCount(count: number): string {
  return count > 99 ? '99+' : String(count);
}
