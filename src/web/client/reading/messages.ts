import { announce } from '../announce.js';

/** The list of messages, or of conversations, that follows what is sent. */
const LIST = '[data-live=messages]';

/** The pause between two requests for new messages. */
const PAUSE_MS = 1000;

/** How near to its end, in pixels, a reader of a conversation is taken along. */
const NEAR_END = 200;

let isLoading = false;
let isAskedAgain = false;
let lastUnread = 0;

/** Shows what is sent from this page without a new page. */
export function showSentMessages(): void {
  document.addEventListener('answered', () => void load(true));
}

/** Shows new messages of an open conversation, or the changed list of conversations. `unread` counts those of all. */
export function showNewMessages(unread: number): void {
  const hasChanged = unread > 0 || unread !== lastUnread;
  lastUnread = unread;
  if (hasChanged) void load(false);
}

async function load(isOwn: boolean): Promise<void> {
  const list = document.querySelector<HTMLElement>(LIST);
  if (!list) return;
  isAskedAgain = isLoading;
  if (isLoading) return;
  isLoading = true;
  try {
    const fresh = await freshList();
    if (fresh) (list.querySelector('.messages') ? addMessages : replaceList)(list, fresh, isOwn);
  } catch {
    // Without a connection, the next event tries again.
  }
  setTimeout(() => {
    isLoading = false;
    if (isAskedAgain) void load(false);
  }, PAUSE_MS);
}

async function freshList(): Promise<HTMLElement | null> {
  const answer = await fetch(location.pathname, { headers: { accept: 'text/html' }, redirect: 'manual' });
  if (!answer.ok) return null;
  return new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector<HTMLElement>(LIST);
}

/** Adds what is new at the end, and leaves the rest as it is: a video may play. */
function addMessages(list: HTMLElement, fresh: HTMLElement, isOwn: boolean): void {
  const end = document.documentElement;
  const isAtEnd = scrollY + innerHeight > end.scrollHeight - NEAR_END;
  const added = [...fresh.querySelectorAll<HTMLElement>('.messages > li')].filter(
    ({ id }) => document.getElementById(id) === null,
  );
  if (added.length === 0) return;
  list.querySelector('.absent')?.remove();
  list.querySelector('.messages')?.append(...added.map((item) => document.adoptNode(item)));
  if (isOwn || isAtEnd) scrollTo({ top: end.scrollHeight, behavior: 'instant' });
  else announceFrom(added.at(-1)?.dataset['from'] ?? '');
}

function announceFrom(name: string): void {
  if (name !== '') announce(`${name} has written. The message is below.`);
}

function replaceList(list: HTMLElement, fresh: HTMLElement): void {
  const { activeElement: focused } = document;
  const href = list.contains(focused) ? focused?.getAttribute('href') : undefined;
  list.replaceChildren(...[...fresh.childNodes].map((node) => document.adoptNode(node)));
  if (href) list.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus();
}
