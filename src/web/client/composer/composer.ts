import { weightedLength } from '../../../core/post-text/length.js';
import { elementOf } from '../requests.js';
import { addFiles, areUploading, hasFailed, moveEarlier, remindOfDescriptions, removeFile } from './files.js';
import { forgetDraft, passDraft } from '../drafts/form-drafts.js';
import { keepDraft, offerToSave, restoreDraft } from './draft-of-form.js';
import { addPart, dropPart } from './parts.js';
import { tell } from './tell.js';

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
  if (isNew) restoreDraft(form, (fields) => exchange(form, fields, false));
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
 * then, nobody writes what would be lost. Returns false if the form stays as it was.
 */
async function exchange(form: HTMLFormElement, body: FormData, isAsked = true): Promise<boolean> {
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
      return true;
    }
    if (answer.headers.get('pipit-part') === 'composer') return replace(form, text, isAsked);
    explain(form, text);
    return false;
  } catch {
    tell(form, 'The server cannot be reached. Everything stays here; try again.');
    return false;
  } finally {
    form.ariaBusy = null;
    form.inert = false;
    if (focused instanceof HTMLElement && form.contains(focused)) focused.focus();
  }
}

function replace(form: HTMLFormElement, markup: string, isAsked: boolean): boolean {
  const made = elementOf(markup);
  if (!(made instanceof HTMLFormElement)) return false;
  passDraft(form, made);
  form.replaceWith(made);
  enhance(made);
  keepDraft(made);
  if (!isAsked) return true;
  // Of what was sent meanwhile, the page may show more.
  made.dispatchEvent(new Event('answered', { bubbles: true }));
  const texts = made.querySelectorAll('textarea');
  (
    made.querySelector<HTMLElement>('[aria-invalid]') ??
    [...texts].find(({ value }) => value === '') ??
    texts[0]
  )?.focus();
  return true;
}

/** Shows the words of an error page in the form. */
function explain(form: HTMLFormElement, page: string): void {
  const card = new DOMParser().parseFromString(page, 'text/html').querySelector('main .card');
  tell(form, card ?? 'You are signed out. Sign in in another tab, and send this again.');
}
