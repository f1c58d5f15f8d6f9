import { weightedLength } from '../../../core/post-text/length.js';
import { elementOf } from '../requests.js';
import { addFiles, areUploading, hasFailed, moveEarlier, remindOfDescriptions, removeFile } from './files.js';
import {
  forgetDraft,
  isUnwritten,
  keepApart,
  passDraft,
  putAside,
  readDraft,
  saveDraft,
} from '../drafts/form-drafts.js';
import { addPart, dropPart } from './parts.js';

/** The weight of a post of users without a subscription; the server decides. */
const MAX_WEIGHT = 280;

/**
 * Lets composers count characters, add pictures and posts without a new page, keep drafts, and stay on the page with
 * everything that was written when the server refuses.
 */
export function enhanceComposers(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form.composer')) enhance(form, true);
  addEventListener('beforeunload', (event) => {
    if (areUploading(document) || document.querySelector('.not-kept')) event.preventDefault();
  });
}

function enhance(form: HTMLFormElement, isNew = false): void {
  const changed = (): void => {
    for (const part of form.querySelectorAll('.part')) count(part);
    remindOfDescriptions(form);
    keepDraft(form);
  };
  form.addEventListener('input', changed);
  form.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'file') return;
    addFiles(form, target, target.files, changed);
    target.value = '';
  });
  form.addEventListener('click', (event) => act(form, event, changed));
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.addEventListener('paste', (event) => takeFiles(form, event, event.clipboardData, changed));
  form.addEventListener('drop', (event) => takeFiles(form, event, event.dataTransfer, changed));
  form.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
  });
  // The button whose work waits for uploads.
  let waiting: HTMLElement | null | undefined;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    waiting = areUploading(form) ? event.submitter : undefined;
    submit(form, event.submitter);
  });
  form.addEventListener('uploaded', () => {
    if (waiting !== undefined) submit(form, waiting);
    waiting = undefined;
  });
  offerToSave(form);
  if (isNew) restore(form);
  for (const part of form.querySelectorAll('.part')) count(part);
  remindOfDescriptions(form);
}

function takeFiles(
  form: HTMLFormElement,
  event: Event,
  data: DataTransfer | null,
  changed: () => void,
): void {
  if (!data?.files.length || !(event.target instanceof Element)) return;
  event.preventDefault();
  addFiles(form, event.target, data.files, changed);
}

/** Does at once what buttons of the form do on the server. */
function act(form: HTMLFormElement, event: MouseEvent, changed: () => void): void {
  const target = event.target instanceof Element ? event.target : form;
  const summary = target.closest('.pick > summary');
  if (summary) {
    event.preventDefault();
    summary.parentElement?.querySelector('input')?.click();
  }
  const button = target.closest<HTMLButtonElement>('button[name=do]');
  const [verb = ''] = button?.value.split(' ') ?? [];
  const local = { add: addPart, drop: dropPart, earlier: moveEarlier, remove: removeFile }[verb];
  if (!button || !local) return;
  event.preventDefault();
  local(form, button);
  changed();
}

function count(part: Element): void {
  const field = part.querySelector('textarea');
  const left = part.querySelector('output');
  if (!field || !left) return;
  const rest = MAX_WEIGHT - weightedLength(field.value);
  left.textContent = field.value === '' ? '' : String(rest);
  left.classList.toggle('over', rest < 0);
}

function submit(form: HTMLFormElement, submitter: HTMLElement | null): void {
  if (form.ariaBusy === 'true') return;
  form.querySelector('.told')?.replaceChildren();
  if (hasFailed(form)) {
    tell(form, 'A file was not uploaded. Try again, or remove it.');
    return;
  }
  if (areUploading(form)) tell(form, 'This is sent as soon as the files are uploaded.', 'good');
  else void send(form, submitter);
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const body = new FormData(form);
  if (submitter instanceof HTMLButtonElement && submitter.name !== '')
    body.append(submitter.name, submitter.value);
  await exchange(form, body);
}

/**
 * Sends a form, and puts the one that the server answers in its place, with the focus if the writer asked for it. Until
 * then, nobody writes what would be lost.
 */
async function exchange(form: HTMLFormElement, body: FormData, isAsked = true): Promise<void> {
  const { activeElement: focused } = document;
  form.ariaBusy = 'true';
  form.inert = true;
  try {
    const headers = { 'pipit-part': 'composer', accept: 'text/html' };
    const answer = await fetch(form.action, { method: 'POST', body, headers, redirect: 'manual' });
    const path = answer.headers.get('pipit-open');
    const text = await answer.text();
    if (path !== null) {
      forgetDraft(form);
      form.querySelector('.not-kept')?.remove();
      location.assign(path);
    } else if (answer.headers.get('pipit-part') === 'composer') replace(form, text, isAsked);
    else explain(form, text);
  } catch {
    tell(form, 'The server cannot be reached. Everything stays here; try again.');
  } finally {
    form.ariaBusy = null;
    form.inert = false;
    if (focused instanceof HTMLElement && form.contains(focused)) focused.focus();
  }
}

function replace(form: HTMLFormElement, markup: string, isAsked: boolean): void {
  const made = elementOf(markup);
  if (!(made instanceof HTMLFormElement)) return;
  passDraft(form, made);
  form.replaceWith(made);
  enhance(made);
  keepDraft(made);
  if (!isAsked) return;
  // Of what was sent meanwhile, the page may show more.
  made.dispatchEvent(new Event('answered', { bubbles: true }));
  const texts = made.querySelectorAll('textarea');
  (
    made.querySelector<HTMLElement>('[aria-invalid]') ??
    [...texts].find(({ value }) => value === '') ??
    texts[0]
  )?.focus();
}

/** Shows the words of an error page in the form. */
function explain(form: HTMLFormElement, page: string): void {
  const card = new DOMParser().parseFromString(page, 'text/html').querySelector('main .card');
  tell(form, card ?? 'You are signed out. Sign in in another tab, and send this again.');
}

function tell(form: HTMLFormElement, words: string | Element, kind = 'bad'): void {
  const note = document.createElement('div');
  note.className = `note ${kind}`;
  note.role = kind === 'bad' ? 'alert' : 'status';
  if (typeof words === 'string') note.textContent = words;
  else note.append(...words.childNodes);
  form.querySelector('.told')?.replaceChildren(note);
}

/** Keeps what is written, or says that it is not kept. */
function keepDraft(form: HTMLFormElement): void {
  const isKept = saveDraft(form);
  const known = form.querySelector('.not-kept');
  if (isKept) known?.remove();
  else if (!known) form.querySelector('.send, .tools')?.before(notKept());
}

function notKept(): HTMLElement {
  const hint = document.createElement('p');
  hint.className = 'hint not-kept';
  hint.role = 'alert';
  const link = document.createElement('a');
  link.href = DRAFTS_PATH;
  link.textContent = 'Delete drafts';
  hint.append(NOT_KEPT, link, ' to make room.');
  return hint;
}

const DRAFTS_PATH = '/compose/drafts';
const NOT_KEPT = 'This browser has no room for this draft: it is lost when you leave the page. ';

/** Adds the button that puts a draft of the whole form aside. */
function offerToSave(form: HTMLFormElement): void {
  const row = form.querySelector('.send');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain save-draft';
  button.textContent = 'Save draft';
  button.onclick = () => {
    if (isUnwritten(form)) tell(form, 'Nothing is written yet.');
    else if (areUploading(form)) tell(form, 'The files are not uploaded yet. Save the draft in a moment.');
    else if (putAside(form)) location.assign(DRAFTS_PATH);
    else keepDraft(form);
  };
  row?.querySelector('button:last-of-type')?.before(button);
}

/** Fills a form in which nothing is written with its draft. */
function restore(form: HTMLFormElement): void {
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
  void exchange(form, body, false);
}

/** What the selects of the whole form say at first; the short form has none. */
const FIRST_CHOICES = ['days 1', 'reply_settings everyone'];

/** Reports whether a field of a draft says what the form says without it. */
function isSaid(form: HTMLFormElement, name: string, value: string): boolean {
  if (FIRST_CHOICES.includes(`${name} ${value}`)) return true;
  const field = form.elements.namedItem(name);
  return (field instanceof HTMLSelectElement || field instanceof HTMLInputElement) && field.value === value;
}
