import { announce } from './announce.js';
import { Refused } from './requests.js';

/** How long a deletion can be undone. */
const UNDO_MS = 8_000;

/**
 * Hides a post and deletes it after some seconds, or when the page is left. Until then a button brings it back; the
 * focus is on that button.
 */
export function deleteLater(id: string): void {
  const cards = [...document.querySelectorAll<HTMLElement>(`.post[data-id="${id}"]`)];
  const setHidden = (isHidden: boolean): void => {
    for (const card of cards) card.hidden = isHidden;
  };
  setHidden(true);
  const { toast, undo } = undoToast();
  const stop = (): void => {
    clearTimeout(timer);
    removeEventListener('pagehide', finish);
    toast.remove();
  };
  const finish = (): void => {
    stop();
    send(id).then(leave, (error: unknown) => {
      setHidden(false);
      announce(error instanceof Refused ? error.message : 'The post was not deleted. Try again.');
    });
  };
  // The page of a post that is gone shows nothing more.
  const leave = (): void => {
    if (cards.some((card) => card.classList.contains('main'))) location.assign('/home');
  };
  const timer = setTimeout(finish, UNDO_MS);
  addEventListener('pagehide', finish);
  undo.onclick = () => {
    stop();
    setHidden(false);
    cards[0]?.querySelector<HTMLElement>('a')?.focus();
  };
  undo.focus();
}

function undoToast(): { readonly toast: HTMLElement; readonly undo: HTMLButtonElement } {
  const toast = document.createElement('div');
  toast.className = 'toast shown undo';
  toast.role = 'status';
  const undo = document.createElement('button');
  undo.className = 'plain';
  undo.textContent = 'Undo';
  toast.append('The post is deleted. ', undo);
  document.body.append(toast);
  return { toast, undo };
}

async function send(id: string): Promise<void> {
  const csrf = document.querySelector<HTMLInputElement>('#act [name=csrf]')?.value ?? '';
  const answer = await fetch(`/i/posts/${id}/delete`, {
    method: 'POST',
    body: new URLSearchParams({ csrf }),
    headers: { accept: 'text/html' },
    redirect: 'manual',
    // The page may be gone before the answer is there.
    keepalive: true,
  });
  // A redirect is the answer to a deletion.
  if (answer.type === 'opaqueredirect') return;
  throw new Refused(answer.status, await answer.text());
}
