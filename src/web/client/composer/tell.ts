import { element } from '../element.js';

/** Says above the fields of a form what happened to it, in place of what it said before. */
export function tell(form: HTMLFormElement, words: string | Element, kind = 'bad'): void {
  const note = element('div', `note ${kind}`);
  note.role = kind === 'bad' ? 'alert' : 'status';
  if (typeof words === 'string') note.textContent = words;
  else note.append(...words.childNodes);
  form.querySelector('.told')?.replaceChildren(note);
}
