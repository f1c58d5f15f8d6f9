import { announce } from './announce.js';
import { elementOf, sendForPart } from './requests.js';

/**
 * Lets the buttons under posts and those that follow people act at once: the button changes, the server is asked, and
 * the post or button is replaced by what it is then. If the server refuses, the button changes back and the reason is
 * announced.
 */
export function enhanceActions(): void {
  document.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element ? event.target.closest('button.act, button.follow') : undefined;
    if (!(button instanceof HTMLButtonElement) || !button.form) return;
    event.preventDefault();
    void (button.matches('.act') ? toggle : follow)(button, button.form);
  });
}

async function toggle(button: HTMLButtonElement, form: HTMLFormElement): Promise<void> {
  if (button.ariaBusy === 'true') return;
  const wasOn = button.ariaPressed;
  button.ariaPressed = wasOn === 'true' ? 'false' : 'true';
  const markup = await send(button, form, 'post');
  if (markup === undefined) button.ariaPressed = wasOn;
  else replacePost(button, markup);
}

async function follow(button: HTMLButtonElement, form: HTMLFormElement): Promise<void> {
  if (button.ariaBusy === 'true') return;
  const made = elementOf((await send(button, form, 'follow')) ?? '');
  if (!made) return;
  const hadFocus = document.activeElement === button;
  button.replaceWith(made);
  if (hadFocus) made.focus();
}

/** Sends what a button does and returns the part. Announces a refusal and returns undefined. */
async function send(
  button: HTMLButtonElement,
  form: HTMLFormElement,
  part: string,
): Promise<string | undefined> {
  button.ariaBusy = 'true';
  try {
    return await sendForPart(form, button, part);
  } catch (error) {
    announce(
      error instanceof Error && error.message !== '' ? error.message : 'That did not work. Try again.',
    );
    return undefined;
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
