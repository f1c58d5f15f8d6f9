/** The fields of a composer that a draft keeps: all but the token, the files and the buttons. */
export type Draft = readonly (readonly [name: string, value: string])[];

/** Keeps what is written in a form until it is posted, over a closed tab, too. */
export function saveDraft(form: HTMLFormElement): void {
  const draft = fieldsOf(form);
  const isEmpty = draft.every(([name, value]) => value.trim() === '' || !/^(?:text|media|option)/.test(name));
  if (isEmpty) forgetDraft(form);
  else localStorage.setItem(keyOf(form), JSON.stringify(draft));
}

/** Forgets the draft of a form. */
export function forgetDraft(form: HTMLFormElement): void {
  localStorage.removeItem(keyOf(form));
}

/** Returns the draft of a form; undefined if there is none. */
export function readDraft(form: HTMLFormElement): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(form)) ?? 'null');
    return Array.isArray(kept) ? (kept as Draft) : undefined;
  } catch {
    return undefined;
  }
}

function fieldsOf(form: HTMLFormElement): Draft {
  return [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'csrf' ? [[name, value] as const] : [],
  );
}

/**
 * Names a draft by its user, as several people may use one browser, and by the conversation of a message, or what a post
 * answers, quotes or edits.
 */
function keyOf(form: HTMLFormElement): string {
  const { user = '', draft } = form.dataset;
  if (draft !== undefined) return `draft ${user} ${draft}`;
  const fields = new FormData(form);
  const targets = ['reply_to', 'quote', 'edit'].map((name) => {
    const id = fields.get(name);
    return typeof id === 'string' ? `${name} ${id}` : '';
  });
  return `draft ${user} ${targets.join('')}`;
}
