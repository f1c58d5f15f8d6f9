import { undoToast } from './undo-toast.js';
import {
  announceFailure,
  CardsOfPost,
  forgetDeletion,
  keepDeletion,
  sendDeletion,
} from './pending-deletions.js';

/** How long a deletion can be undone. */
const UNDO_MS = 8_000;

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
