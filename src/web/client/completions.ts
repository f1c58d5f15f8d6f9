/** A username or hashtag that is being typed, at the end of a text. */
const TYPED = /(?:^|[^\p{L}\p{M}\p{N}_@#/&.])([@#][\p{L}\p{M}\p{N}_]{1,50})$/u;

/** The fields that complete: texts of posts and messages, and searches. */
const FIELDS = 'textarea[name=text], input[name=q], input[name=people]';

type Field = HTMLTextAreaElement | HTMLInputElement;

const list = document.createElement('ul');
list.className = 'completions';
list.id = 'completions';
list.role = 'listbox';
list.ariaLabel = 'Suggestions';

/** Says to screen readers that there are suggestions. */
const said = document.createElement('p');
said.className = 'hidden';
said.role = 'status';

/** The field that the list belongs to, while it is open. */
let open: Field | undefined;
let asked: AbortController | undefined;

/**
 * Completes usernames and hashtags as they are typed: arrow keys choose, Enter or Tab takes, Escape closes. The list is
 * described to screen readers by the field's active descendant.
 */
export function enhanceCompletions(): void {
  document.body.append(said);
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
  return TYPED.exec(field.value.slice(0, end))?.[1];
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
    if (answer.ok && typedIn(field) === typed) show(field, await answer.text());
  } catch {
    // Completions are a help only: without them, the text is typed.
  }
}

function show(field: Field, markup: string): void {
  const { body } = new DOMParser().parseFromString(markup, 'text/html');
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
}

function close(): void {
  if (!open) return;
  open.removeAttribute('aria-activedescendant');
  open.removeAttribute('aria-controls');
  open = undefined;
  said.textContent = '';
  list.remove();
}

function choose(event: KeyboardEvent): void {
  if (!open || event.isComposing) return;
  const options = [...list.children];
  const at = options.findIndex(({ ariaSelected }) => ariaSelected === 'true');
  const move = { ArrowDown: at + 1, ArrowUp: at < 0 ? options.length - 1 : at - 1 }[event.key];
  // In a field of people, Enter says that the name is complete, and sends nothing.
  const takesFirst = event.key === 'Tab' || (event.key === 'Enter' && open.name === 'people');
  const taken = takesFirst ? options[Math.max(at, 0)] : event.key === 'Enter' ? options[at] : undefined;
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
  const text = option instanceof HTMLElement ? option.dataset['text'] : undefined;
  close();
  if (!field || typed === undefined || text === undefined) return;
  const end = field.selectionStart ?? 0;
  field.setRangeText(`${text} `, end - typed.length, end, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
