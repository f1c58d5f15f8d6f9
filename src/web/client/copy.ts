import { element } from './element.js';

/** How long a button says that it has copied. */
const SAID_MS = 2_000;

/** Puts a button beside each text that readers copy. Browsers offer the clipboard on secure addresses only. */
export function enhanceCopying(): void {
  if (!('clipboard' in navigator)) return;
  for (const text of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const box = element(text instanceof HTMLPreElement ? 'div' : 'span', 'copied');
    text.replaceWith(box);
    box.append(text, copyButton(text));
  }
}

function copyButton(text: HTMLElement): HTMLButtonElement {
  const button = element('button', 'plain copy', 'Copy');
  const name = text.dataset['copy'] ?? '';
  button.type = 'button';
  if (name !== '') button.ariaLabel = `Copy: ${name}`;
  button.addEventListener('click', () => void copy(text, button));
  return button;
}

async function copy(text: HTMLElement, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '');
    button.textContent = 'Copied';
  } catch {
    // The browser forbids it: select the text instead.
    getSelection()?.selectAllChildren(text);
    button.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = 'Copy'), SAID_MS);
}
