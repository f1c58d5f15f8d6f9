import { announce } from './announce.js';
import { element } from './element.js';
import { deleteLater } from './pending-deletions.js';

/** Opens the menu of a post above the page, and lets the writer delete posts there with time to undo. */
export function enhancePostMenus(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    if (!link || !isPlain) return;
    const [, id = '', part] = /^\/i\/posts\/(\d+)\/(menu|delete)$/.exec(link.pathname) ?? [];
    if (part === undefined || !document.getElementById('act')) return;
    event.preventDefault();
    if (part === 'menu') void openMenu(link);
    else {
      link.closest('dialog')?.close();
      deleteLater(id);
    }
  });
}

async function openMenu(link: HTMLAnchorElement): Promise<void> {
  const answer = await fetch(link.href, { headers: { 'pipit-part': 'menu' } }).catch(() => undefined);
  if (answer?.headers.get('pipit-part') !== 'menu') {
    location.assign(link.href);
    return;
  }
  const { body } = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const dialog = element('dialog', 'post-menu');
  dialog.ariaLabel = 'Post menu';
  const close = element('button', 'plain', 'Close');
  close.onclick = () => dialog.close();
  dialog.append(...body.children, close);
  addShare(dialog);
  dialog.onclick = ({ target }) => {
    if (target === dialog) dialog.close();
  };
  dialog.onclose = () => {
    dialog.remove();
    if (link.isConnected) link.focus();
  };
  document.body.append(dialog);
  dialog.showModal();
}

/** Adds the button that shares the link of a post, or copies it where the browser cannot share. */
function addShare(dialog: HTMLDialogElement): void {
  const field = dialog.querySelector<HTMLInputElement>('#link');
  if (!field) return;
  const canShare = 'share' in navigator;
  const button = element('button', 'plain', canShare ? 'Share' : 'Copy the link');
  button.onclick = async () => {
    try {
      if (canShare) await navigator.share({ url: field.value });
      else await navigator.clipboard.writeText(field.value);
      dialog.close();
      if (!canShare) announce('The link is copied.');
    } catch {
      // Cancelled, or not allowed: the link can be copied by hand.
      field.select();
    }
  };
  field.after(button);
}
