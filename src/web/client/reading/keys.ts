import { focusedPost, type Shortcut, shortcutsOfPage } from './key-map.js';
import { showKeyMap } from './key-dialog.js';

/** The time for the second of two keys. */
const SECOND_KEY_MS = 1_500;

/** Where the browser keeps that single keys do nothing. */
const OFF = 'keys off';

/**
 * Lets single keys act on posts and lead to pages; `?` shows which. They do nothing while somebody writes, and can be
 * turned off, as speech input may send them by mistake (WCAG 2.2, 2.1.4); Ctrl+/ shows the map then.
 */
export function enhanceKeys(): void {
  if (!document.body.classList.contains('signed-in')) return;
  let first = '';
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
    if (event.key === '/' && event.ctrlKey) {
      event.preventDefault();
      openMap();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
    if (localStorage.getItem(OFF) !== null) return;
    const keys = first === '' ? event.key : `${first} ${event.key}`;
    first = '';
    if (keys === '?') openMap();
    else if (keys === 'g') {
      first = 'g';
      setTimeout(() => (first = ''), SECOND_KEY_MS);
      return;
    } else if (!run(keys)) return;
    event.preventDefault();
  });
}

function run(keys: string): boolean {
  const isOpening = keys === 'Enter' && document.activeElement === focusedPost();
  const shortcut = shortcutsOfPage().find((each: Shortcut) => each.keys === (isOpening ? 'o' : keys));
  shortcut?.run();
  return shortcut !== undefined;
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select, video');
}

function openMap(): void {
  showKeyMap(shortcutsOfPage(), {
    isOn: localStorage.getItem(OFF) === null,
    set: (isOn) => (isOn ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, 'yes')),
  });
}
