import { announce } from './announce.js';
import { elementOf, sendForPart } from './requests.js';

/**
 * Lets the buttons under posts act at once: the button changes, the server is asked, and the post is replaced by what it
 * is then. If the server refuses, the button changes back and the reason is announced.
 */
export function enhanceActions(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button.act') : undefined;
    if (!(button instanceof HTMLButtonElement) || !button.form) return;
    event.preventDefault();
    void toggle(button, button.form);
  });
}

async function toggle(button: HTMLButtonElement, form: HTMLFormElement): Promise<void> {
  if (button.ariaBusy === 'true') return;
  const wasOn = button.ariaPressed;
  button.ariaBusy = 'true';
  button.ariaPressed = wasOn === 'true' ? 'false' : 'true';
  try {
    replacePost(button, await sendForPart(form, button, 'post'));
  } catch (error) {
    button.ariaPressed = wasOn;
    announce(
      error instanceof Error && error.message !== '' ? error.message : 'That did not work. Try again.',
    );
  } finally {
    button.ariaBusy = null;
  }
}

/** Replaces every card of the post by its new state; the focus stays on the button. */
function replacePost(button: HTMLButtonElement, markup: string): void {
  const made = elementOf(markup);
  const bar = made?.querySelector('.acts');
  const id = made?.dataset['id'];
  if (!bar || id === undefined) return;
  const path = button.getAttribute('formaction');
  const hadFocus = document.activeElement === button;
  for (const post of document.querySelectorAll(`.post[data-id="${id}"] .acts`))
    post.replaceWith(bar.cloneNode(true));
  if (hadFocus) document.querySelector<HTMLElement>(`button[formaction="${path}"]`)?.focus();
}
