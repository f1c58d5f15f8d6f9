import { isUnwritten, keepApart, putAside, readDraft, saveDraft } from '../drafts/form-drafts.js';
import { element } from '../element.js';
import { areUploading } from './files.js';
import { tell } from './tell.js';

/** Keeps what is written, or says that it is not kept. */
export function keepDraft(form: HTMLFormElement): void {
  const isKept = saveDraft(form);
  const known = form.querySelector('.not-kept');
  if (isKept) known?.remove();
  else if (!known) form.querySelector('.send, .tools')?.before(notKept());
}

function notKept(): HTMLElement {
  const hint = element('p', 'hint not-kept', NOT_KEPT);
  hint.role = 'alert';
  const link = element('a', '', 'Delete drafts');
  link.href = DRAFTS_PATH;
  hint.append(link, ' to make room.');
  return hint;
}

const DRAFTS_PATH = '/compose/drafts';
const NOT_KEPT = 'This browser has no room for this draft: it is lost when you leave the page. ';

/** Adds the button that puts a draft of the whole form aside. */
export function offerToSave(form: HTMLFormElement): void {
  const row = form.querySelector('.send');
  const button = element('button', 'plain save-draft', 'Save draft');
  button.type = 'button';
  button.onclick = () => {
    if (isUnwritten(form)) tell(form, 'Nothing is written yet.');
    else if (areUploading(form)) tell(form, 'The files are not uploaded yet. Save the draft in a moment.');
    else if (putAside(form)) location.assign(DRAFTS_PATH);
    else keepDraft(form);
  };
  row?.querySelector('button:last-of-type')?.before(button);
}

/**
 * Fills a form in which nothing is written with its draft. One of more than a text is shown by `show`, which asks the
 * server for its form and returns false if it cannot.
 */
export function restoreDraft(form: HTMLFormElement, show: (fields: FormData) => Promise<boolean>): void {
  const field = form.querySelector('textarea');
  const isEdit = form.elements.namedItem('edit') !== null;
  const draft = readDraft(form);
  if (!field || !draft) return;
  if (field.value !== '' && !isEdit) {
    keepApart(form);
    return;
  }
  const isPlain = draft.every(
    ([name, value]) => name === 'text' || value === '' || isSaid(form, name, value),
  );
  if (isPlain && draft.filter(([name]) => name === 'text').length === 1) {
    field.value = draft.find(([name]) => name === 'text')?.[1] ?? '';
    return;
  }
  const body = new FormData();
  body.append('csrf', String(new FormData(form).get('csrf')));
  for (const [name, value] of draft) body.append(name, value);
  body.append('do', 'show');
  void show(body).then((isShown) => {
    // What is written instead does not replace a draft that could not be shown.
    if (!isShown) keepApart(form);
  });
}

/** What the selects of the whole form say at first; the short form has none. */
const FIRST_CHOICES = ['days 1', 'reply_settings everyone'];

/** Reports whether a field of a draft says what the form says without it. */
function isSaid(form: HTMLFormElement, name: string, value: string): boolean {
  if (FIRST_CHOICES.includes(`${name} ${value}`)) return true;
  const field = form.elements.namedItem(name);
  return (field instanceof HTMLSelectElement || field instanceof HTMLInputElement) && field.value === value;
}
