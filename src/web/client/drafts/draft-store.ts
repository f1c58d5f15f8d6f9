import { keysBelow, removeText, storedText } from '../browser-storage.js';

/** The fields of a form that a draft keeps: all but the token, the files and the buttons. */
export type DraftFields = readonly (readonly [name: string, value: string])[];

/** What was written in a form, and where it goes on. */
export interface Draft {
  /** In milliseconds since 1970. */
  readonly savedAt: number;
  /** The page with the form. */
  readonly path: string;
  /** The recipients of a message, as its page names them. */
  readonly to?: string;
  readonly fields: DraftFields;
}

/** A draft in the list of its account. */
export interface ListedDraft {
  readonly key: string;
  /** What tells it from the others of its account: what is answered, quoted or edited, or a number of its own. */
  readonly place: string;
  readonly draft: Draft;
}

const PREFIX = 'draft ';

/** Returns the key of a draft: several people may use one browser, so it has the account. */
export function draftKey(user: string, place: string): string {
  return `${PREFIX}${user} ${place}`;
}

/** Returns the key of a draft that belongs to no place. */
export function newDraftKey(user: string): string {
  return draftKey(user, `saved ${Date.now()}-${Math.random().toString(36).slice(2, 8)}`);
}

/** Reports whether a draft is kept beside those of the places. */
export function isSaved(user: string, key: string): boolean {
  return key.startsWith(draftKey(user, 'saved '));
}

/** Reads a stored draft; undefined for what is none. */
export function parseDraft(text: string | null): Draft | undefined {
  try {
    const kept = JSON.parse(text ?? 'null') as Draft | null;
    return Array.isArray(kept?.fields) && /^\/(?!\/)/.test(kept.path) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the drafts of an account, the last changed one first. */
export function listDrafts(user: string): ListedDraft[] {
  const prefix = draftKey(user, '');
  const found = keysBelow(prefix).flatMap((key) => {
    const draft = parseDraft(storedText(key));
    return draft ? [{ key, place: key.slice(prefix.length), draft }] : [];
  });
  return found.sort((one, other) => other.draft.savedAt - one.draft.savedAt);
}

/** Removes the drafts of an account, or those of all. */
export function removeDrafts(user?: string): void {
  for (const key of keysBelow(user === undefined ? PREFIX : draftKey(user, ''))) removeText(key);
}
