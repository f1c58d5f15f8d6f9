import { announce } from './announce.js';
import { keysBelow, removeText, storedText, storeText } from './browser-storage.js';
import { currentUser } from './current-user.js';
import { Refused } from './requests.js';
import { UNDO_MS, undoToast } from './undo-toast.js';

/** How much later than its own page another page sends a deletion: that page may be open still. */
const GRACE_MS = 2_000;

/**
 * Hides a post and deletes it after some seconds, or when the page is left. Until then a button brings it back; the
 * focus is on that button. What is lost with the page, the next page sends.
 */
export function deleteLater(id: string): void {
  const cards = new CardsOfPost(id);
  cards.hide();
  keepDeletion(id, Date.now() + UNDO_MS);
  const { toast, undo } = undoToast('The post is deleted. ');
  const stop = (): void => {
    clearTimeout(timer);
    removeEventListener('pagehide', leavePage);
    toast.remove();
  };
  let isLeft = false;
  const bringBack = (): void => {
    forgetDeletion(id);
    cards.show();
  };
  const finish = (): void => {
    toast.remove();
    sendDeletion(id).then(
      () => {
        stop();
        cards.leave();
      },
      (error: unknown) => {
        // The end of the page ends its requests.
        if (isLeft) return;
        stop();
        bringBack();
        announceFailure(error);
      },
    );
  };
  const leavePage = (): void => {
    isLeft = true;
    stop();
    keepDeletion(id, 0);
    // The next page tries again.
    sendDeletion(id).catch(() => undefined);
  };
  const timer = setTimeout(finish, UNDO_MS);
  addEventListener('pagehide', leavePage);
  undo.onclick = () => {
    stop();
    bringBack();
    cards.focus();
  };
  undo.focus();
}

/**
 * Keeps a deletion over the end of its page, until it is sent or undone. The time is in milliseconds since 1970; from
 * then on it cannot be undone.
 */
function keepDeletion(id: string, dueAt: number): void {
  // Without room for it, only this page can send the deletion.
  storeText(keyOf(id), String(dueAt));
}

/** Forgets a deletion that was sent or undone. */
function forgetDeletion(id: string): void {
  removeText(keyOf(id));
}

/**
 * Sends a deletion, and forgets it when the post is gone. It outlives the page where the browser can do so. Throws
 * `Refused`, or the error of the connection.
 */
async function sendDeletion(id: string): Promise<void> {
  const answer = await fetch(`/i/posts/${id}/delete`, {
    method: 'POST',
    body: new URLSearchParams({ csrf: csrf() }),
    headers: { 'pipit-part': 'deletion', accept: 'text/html' },
    redirect: 'manual',
    keepalive: true,
  });
  // Another page may have sent it, too: a post that is not there is deleted.
  if (!answer.ok && answer.status !== 404) throw new Refused(answer.status, await answer.text());
  forgetDeletion(id);
}

/** Sends the deletions that earlier pages of this account left behind, and hides their posts. */
export function sendKeptDeletions(): void {
  // A page that is shown without a connection has no token.
  if (csrf() === '') return;
  const prefix = keyOf('');
  for (const key of keysBelow(prefix)) {
    const id = key.slice(prefix.length);
    const dueAt = Number(storedText(key));
    if (dueAt === 0) void sendKept(id);
    else setTimeout(() => void sendKept(id), Math.max(0, dueAt + GRACE_MS - Date.now()));
  }
}

async function sendKept(id: string): Promise<void> {
  // Its own page may have sent or undone it meanwhile.
  if (storedText(keyOf(id)) === null) return;
  const cards = new CardsOfPost(id);
  cards.hide();
  try {
    await sendDeletion(id);
    cards.leave();
  } catch (error) {
    cards.show();
    // Without an answer, or while the server is in trouble, the next page tries again.
    if (!isFinal(error)) return;
    forgetDeletion(id);
    announceFailure(error);
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof Refused && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** Says why a post was not deleted. */
function announceFailure(error: unknown): void {
  const reason = error instanceof Refused ? error.message : '';
  announce(reason === '' ? 'The post was not deleted. Try again.' : reason);
}

/** The cards of one post on this page. */
class CardsOfPost {
  readonly #cards: readonly HTMLElement[];

  constructor(id: string) {
    this.#cards = [...document.querySelectorAll<HTMLElement>(`.post[data-id="${CSS.escape(id)}"]`)];
  }

  hide(): void {
    for (const card of this.#cards) card.hidden = true;
  }

  show(): void {
    for (const card of this.#cards) card.hidden = false;
  }

  focus(): void {
    this.#cards[0]?.querySelector<HTMLElement>('a')?.focus();
  }

  /** Leaves the page of a post that is gone: it shows nothing more. */
  leave(): void {
    if (this.#cards.some((card) => card.classList.contains('main'))) location.assign('/home');
  }
}

/** Names a deletion by its account, as several people may use one browser. */
function keyOf(id: string): string {
  return `deletion ${currentUser()} ${id}`;
}

function csrf(): string {
  return document.querySelector<HTMLInputElement>('#act [name=csrf]')?.value ?? '';
}
