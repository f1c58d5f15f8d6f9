import { removeText, storedText, storeText } from '../browser-storage.js';
import { draftKey, isSaved, newDraftKey, parseDraft, type DraftFields } from './draft-store.js';

/** The draft of a form: its key, and what this page last read or wrote there. */
interface Kept {
  key: string;
  text: string | null;
}

const keptOf = new WeakMap<HTMLFormElement, Kept>();

/**
 * Keeps what is written in a form until it is sent, over a closed tab, too. Returns false if the browser has no room.
 * Where another tab writes at the same place, the form goes on with a draft of its own, so that neither loses a word.
 */
export function saveDraft(form: HTMLFormElement): boolean {
  const fields = fieldsOf(form);
  if (isEmpty(fields)) {
    forgetDraft(form);
    return true;
  }
  const kept = draftOf(form);
  const stored = storedText(kept.key);
  if (stored !== null && stored !== kept.text) keepApart(form);
  const text = JSON.stringify({ savedAt: Date.now(), path: pathOf(form), to: recipientOf(form), fields });
  if (!storeText(kept.key, text)) return false;
  kept.text = text;
  return true;
}

/** Reports whether nothing is written in a form. */
export function isUnwritten(form: HTMLFormElement): boolean {
  return isEmpty(fieldsOf(form));
}

function isEmpty(fields: DraftFields): boolean {
  return fields.every(([name, value]) => value.trim() === '' || !/^(?:text|media|option)/.test(name));
}

/** Forgets the draft of a form, unless another tab has changed it. */
export function forgetDraft(form: HTMLFormElement): void {
  const kept = draftOf(form);
  if (kept.text !== null && storedText(kept.key) === kept.text) removeText(kept.key);
}

/** Returns what the draft of a form has: the one that the address names, or that of its place. */
export function readDraft(form: HTMLFormElement): DraftFields | undefined {
  const kept = draftOf(form);
  const named = placeIn(location.hash);
  const key = named === undefined ? undefined : draftKey(userOf(form), named);
  if (key !== undefined && storedText(key) !== null) kept.key = key;
  kept.text = storedText(kept.key);
  return parseDraft(kept.text)?.fields;
}

/** Lets a form keep a draft of its own, beside the one of its place. */
export function keepApart(form: HTMLFormElement): void {
  Object.assign(draftOf(form), { key: newDraftKey(userOf(form)), text: null });
}

/** Moves the draft of a form away from its place, which is empty then. Returns false if the browser has no room. */
export function putAside(form: HTMLFormElement): boolean {
  const { key, text } = draftOf(form);
  if (isSaved(userOf(form), key)) return saveDraft(form);
  keepApart(form);
  if (!saveDraft(form)) {
    keptOf.set(form, { key, text });
    return false;
  }
  if (text !== null && storedText(key) === text) removeText(key);
  return true;
}

/** Lets the form that the server answered go on with the draft of the one before it. */
export function passDraft(form: HTMLFormElement, next: HTMLFormElement): void {
  forgetDraft(form);
  if (placeOf(next) === placeOf(form)) keptOf.set(next, { key: draftOf(form).key, text: null });
}

function draftOf(form: HTMLFormElement): Kept {
  const known = keptOf.get(form) ?? { key: draftKey(userOf(form), placeOf(form)), text: null };
  keptOf.set(form, known);
  return known;
}

function fieldsOf(form: HTMLFormElement): DraftFields {
  return [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'csrf' ? [[name, value] as const] : [],
  );
}

function userOf(form: HTMLFormElement): string {
  return form.dataset['user'] ?? '';
}

/** Returns where a form writes to: the conversation of a message, or what a post answers, quotes or edits. */
function placeOf(form: HTMLFormElement): string {
  return (
    form.dataset['draft'] ??
    targetsOf(form)
      .map((target) => target.join(' '))
      .join('')
  );
}

/** Returns the recipients of a message: the people in the form, or those that the page names. */
function recipientOf(form: HTMLFormElement): string | undefined {
  if (form.dataset['draft'] === undefined) return undefined;
  const people = new FormData(form).get('people');
  return typeof people === 'string' ? people : document.querySelector('h1')?.textContent.trim();
}

/** Returns the page with a form. */
function pathOf(form: HTMLFormElement): string {
  if (form.dataset['draft'] !== undefined) return form.dataset['draft'];
  const query = new URLSearchParams(targetsOf(form)).toString();
  return new URL(form.action).pathname + (query === '' ? '' : `?${query}`);
}

function targetsOf(form: HTMLFormElement): [name: string, id: string][] {
  const fields = new FormData(form);
  return ['reply_to', 'quote', 'edit'].flatMap((name) => {
    const id = fields.get(name);
    return typeof id === 'string' ? [[name, id] satisfies [string, string]] : [];
  });
}

/** The part of an address that names a draft. */
const NAMED = '#draft=';

/** Returns the address that opens a draft. */
export function draftAddress(path: string, place: string): string {
  return `${path}${NAMED}${encodeURIComponent(place)}`;
}

function placeIn(hash: string): string | undefined {
  try {
    return hash.startsWith(NAMED) ? decodeURIComponent(hash.slice(NAMED.length)) : undefined;
  } catch {
    return undefined;
  }
}
