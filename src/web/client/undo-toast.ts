/** Shows what was done, with a button that takes it back. The caller removes it. */
export function undoToast(done: string): { readonly toast: HTMLElement; readonly undo: HTMLButtonElement } {
  const toast = document.createElement('div');
  toast.className = 'toast shown undo';
  toast.role = 'status';
  const undo = document.createElement('button');
  undo.className = 'plain';
  undo.textContent = 'Undo';
  toast.append(done, undo);
  document.body.append(toast);
  return { toast, undo };
}
