import { element } from './element.js';

/** A username or hashtag that is being typed, at the end of a text. */
const NAME = /(?:^|[^\p{L}\p{M}\p{N}_@#/&.])([@#][\p{L}\p{M}\p{N}_]{1,50})$/u;

/** An operator or its value, at the end of a search. */
const TERM = /(?:^|[\s(])(-?[a-z_]{1,24}(?::[\w-]{0,50})?)$/i;

/** Searches of posts, which complete operators, too. */
const SEARCHES = 'form[action="/search"] input[name=q]';

/** The fields that complete: texts of posts and messages, and searches. */
const FIELDS = `textarea[name=text], input[name=people], ${SEARCHES}`;

type Field = HTMLTextAreaElement | HTMLInputElement;

const list = element('ul', 'completions');
list.id = 'completions';
list.role = 'listbox';
list.ariaLabel = 'Suggestions';

/** Says to screen readers that there are suggestions. */
const said = element('p', 'hidden');
said.role = 'status';

/** The field that the list belongs to, while it is open. */
let open: Field | undefined;
let asked: AbortController | undefined;

/**
 * Completes usernames and hashtags as they are typed, and operators in searches: arrow keys choose, Enter or Tab takes,
 * Escape closes. The list is described to screen readers by the field's active descendant.
 */
export function enhanceCompletions(): void {
  document.body.append(said);
  for (const field of document.querySelectorAll<HTMLInputElement>(SEARCHES)) {
    // A field of the type search is no combobox.
    field.type = 'text';
    field.enterKeyHint = 'search';
    field.role = 'combobox';
    field.ariaExpanded = 'false';
    field.autocomplete = 'off';
  }
  document.addEventListener('input', ({ target }) => {
    if (isField(target)) void suggest(target);
  });
  document.addEventListener('keydown', choose, true);
  document.addEventListener('focusout', close);
  // A click must not take the focus from the field.
  list.addEventListener('mousedown', (event) => {
    event.preventDefault();
    const option = event.target instanceof Element ? event.target.closest('li') : null;
    if (option) take(option);
  });
}

function isField(target: unknown): target is Field {
  return target instanceof HTMLElement && target.matches(FIELDS);
}

function typedIn(field: Field): string | undefined {
  const { selectionStart: end, selectionEnd } = field;
  if (end === null || end !== selectionEnd) return undefined;
  const before = field.value.slice(0, end);
  return (NAME.exec(before) ?? (field.matches(SEARCHES) ? TERM.exec(before) : null))?.[1];
}

async function suggest(field: Field): Promise<void> {
  asked?.abort();
  const typed = typedIn(field);
  if (typed === undefined) {
    close();
    return;
  }
  asked = new AbortController();
  const { signal } = asked;
  try {
    const query = new URLSearchParams({ text: typed });
    const answer = await fetch(`/i/completions?${query.toString()}`, {
      headers: { 'pipit-part': 'completions' },
      redirect: 'error',
      signal,
    });
    if (typedIn(field) === typed) show(field, answer.ok ? await answer.text() : '');
  } catch {
    // Completions are a help only: without them, the text is typed.
  }
}

function show(field: Field, markup: string): void {
  const { body } = new DOMParser().parseFromString(markup, 'text/html');
  const chosen = open && textOf(list.querySelector('[aria-selected=true]'));
  list.replaceChildren(...body.children);
  const { length } = list.children;
  if (length === 0) {
    close();
    return;
  }
  [...list.children].forEach((option, index) => {
    option.id = `completion-${index}`;
  });
  said.textContent = `${length} suggestions. Use the arrow keys.`;
  open = field;
  field.after(list);
  field.setAttribute('aria-autocomplete', 'list');
  field.setAttribute('aria-controls', list.id);
  field.removeAttribute('aria-activedescendant');
  if (field.role === 'combobox') field.ariaExpanded = 'true';
  // What was chosen stays so: a list may arrive between the arrow key and Enter.
  const kept = [...list.children].findIndex((option) => chosen !== undefined && textOf(option) === chosen);
  if (kept >= 0) select([...list.children], kept);
}

function textOf(option: Element | null): string | undefined {
  return option instanceof HTMLElement ? option.dataset['text'] : undefined;
}

function close(): void {
  if (!open) return;
  open.removeAttribute('aria-activedescendant');
  open.removeAttribute('aria-controls');
  if (open.role === 'combobox') open.ariaExpanded = 'false';
  open = undefined;
  said.textContent = '';
  list.remove();
}

function choose(event: KeyboardEvent): void {
  if (!open || event.isComposing) return;
  const options = [...list.children];
  const at = options.findIndex(({ ariaSelected }) => ariaSelected === 'true');
  const move = { ArrowDown: at + 1, ArrowUp: at < 0 ? options.length - 1 : at - 1 }[event.key];
  // In a field of people, Enter says that the name is complete. A word of a search may be no operator: Tab leaves the field.
  const isPeople = open.name === 'people';
  const first = options[Math.max(at, 0)];
  const isName = isPeople || /^[@#]/.test(typedIn(open) ?? '');
  const taken = { Tab: isName ? first : options[at], Enter: isPeople ? first : options[at] }[event.key];
  if (move !== undefined) select(options, move);
  else if (taken && !event.ctrlKey && !event.metaKey && !event.shiftKey) take(taken);
  else if (event.key === 'Escape') close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function select(options: readonly Element[], index: number): void {
  const chosen = options.at(index % options.length);
  for (const option of options) option.ariaSelected = String(option === chosen);
  chosen?.scrollIntoView({ block: 'nearest' });
  open?.setAttribute('aria-activedescendant', chosen?.id ?? '');
}

function take(option: Element): void {
  const field = open;
  const typed = field && typedIn(field);
  const text = textOf(option);
  close();
  if (!field || typed === undefined || text === undefined) return;
  const end = field.selectionStart ?? 0;
  // An operator wants a value.
  field.setRangeText(text.endsWith(':') ? text : `${text} `, end - typed.length, end, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
