let copies = 0;

/** Returns a copy of a template of a form, with ids of its own. */
export function copyOf(form: HTMLFormElement, template: string): HTMLElement | undefined {
  const source = form.querySelector<HTMLTemplateElement>(`template.${template}`)?.content.firstElementChild;
  const copy = source?.cloneNode(true);
  if (!(copy instanceof HTMLElement)) return undefined;
  copies += 1;
  for (const name of ['id', 'for', 'aria-describedby'])
    for (const each of copy.querySelectorAll(`[${name}]`))
      each.setAttribute(name, `${each.getAttribute(name)}-${copies}`);
  return copy;
}

/** Adds a post to a thread, below the others. */
export function addPart(form: HTMLFormElement): void {
  const parts = form.querySelectorAll('.part');
  const part = copyOf(form, 'part-template');
  if (!part || parts.length >= MAX_THREAD) return;
  parts[parts.length - 1]?.after(part);
  nameButton(form);
  part.querySelector('textarea')?.focus();
}

/** The most posts of a thread; the server decides. */
const MAX_THREAD = 25;

/** Removes the post of a button from a thread. */
export function dropPart(form: HTMLFormElement, button: HTMLElement): void {
  const part = button.closest('.part');
  const next = part?.previousElementSibling ?? part?.nextElementSibling;
  if (!next) return;
  part?.remove();
  nameButton(form);
  next.querySelector('textarea')?.focus();
}

function nameButton(form: HTMLFormElement): void {
  const isReply = form.elements.namedItem('reply_to') !== null;
  const one = isReply ? 'Reply' : 'Post';
  const send = form.querySelector('.send > button:last-of-type');
  if (send) send.textContent = form.querySelectorAll('.part').length > 1 ? 'Post all' : one;
}
