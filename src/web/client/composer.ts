import { weightedLength } from '../../core/post-text/length.js';

/** The weight of a post of users without a subscription; the server decides. */
const MAX_WEIGHT = 280;

/** Counts the characters that are left, sends with Ctrl+Enter, and keeps the text of a composer until it is sent. */
export function enhanceComposers(): void {
  forgetSent();
  for (const form of document.querySelectorAll<HTMLFormElement>('form.composer')) enhance(form);
}

function enhance(form: HTMLFormElement): void {
  const field = form.elements.namedItem('text');
  const left = form.querySelector<HTMLOutputElement>('output.left');
  if (!(field instanceof HTMLTextAreaElement) || !left) return;
  const key = `draft ${draftName(form)}`;
  if (field.value === '') field.value = localStorage.getItem(key) ?? '';
  const count = (): void => {
    const rest = MAX_WEIGHT - weightedLength(field.value);
    left.textContent = field.value === '' ? '' : String(rest);
    left.classList.toggle('over', rest < 0);
  };
  field.addEventListener('input', () => {
    count();
    if (field.value === '') localStorage.removeItem(key);
    else localStorage.setItem(key, field.value);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.addEventListener('submit', () => sessionStorage.setItem(SENT, key));
  count();
}

/** Where the tab keeps the key of the draft that was sent last. */
const SENT = 'sent draft';

/** Forgets a sent draft on the page of the new post: a refusal or a lost connection leads elsewhere. */
function forgetSent(): void {
  const key = sessionStorage.getItem(SENT);
  if (key === null || !location.pathname.includes('/status/')) return;
  localStorage.removeItem(key);
  sessionStorage.removeItem(SENT);
}

/** Names a draft by its user, as several people may use one browser, and by what it answers. */
function draftName(form: HTMLFormElement): string {
  const fields = new FormData(form);
  const target = (name: string): string => {
    const id = fields.get(name);
    return typeof id === 'string' ? `${name} ${id}` : '';
  };
  return `${form.dataset['user'] ?? ''} ${target('reply_to')}${target('quote')}`;
}
