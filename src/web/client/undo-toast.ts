import { element } from './element.js';

/** How long a deletion can be undone. */
export const UNDO_MS = 8_000;

/** Shows what was done, with a button that takes it back. The caller removes it. */
export function undoToast(done: string): { readonly toast: HTMLElement; readonly undo: HTMLButtonElement } {
  const toast = element('div', 'toast shown undo', done);
  toast.role = 'status';
  const undo = element('button', 'plain', 'Undo');
  toast.append(undo);
  document.body.append(toast);
  return { toast, undo };
}
