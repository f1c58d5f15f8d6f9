import { removeText, storedText, storeText } from '../browser-storage.js';
import { element } from '../element.js';
import { UNDO_MS, undoToast } from '../undo-toast.js';
import { draftAddress } from './form-drafts.js';
import { listDrafts, type Draft, type ListedDraft } from './draft-store.js';
import { currentUser } from '../current-user.js';

/** Shows the drafts of the account on their page, and their number in the links to it. */
export function enhanceDraftList(): void {
  const list = document.querySelector<HTMLElement>('.draft-list');
  const show = (): void => {
    const drafts = listDrafts(currentUser());
    if (list) showList(list, drafts, show);
    for (const link of document.querySelectorAll('a.drafts-link'))
      link.textContent = drafts.length === 0 ? 'Drafts' : `Drafts (${drafts.length})`;
  };
  if (!list && !document.querySelector('a.drafts-link')) return;
  show();
  // Other tabs may write, send and delete drafts meanwhile.
  addEventListener('storage', show);
  addEventListener('pageshow', show);
}

function showList(list: HTMLElement, drafts: readonly ListedDraft[], changed: () => void): void {
  if (drafts.length === 0) {
    const none = element('p', 'absent', 'No drafts. What you write and do not send is kept here.');
    list.replaceChildren(none);
    return;
  }
  list.replaceChildren(...drafts.map((each) => entry(each, changed)));
}

function entry({ key, place, draft }: ListedDraft, changed: () => void): HTMLElement {
  const { savedAt, path } = draft;
  const item = element('article', 'post');
  const saved = new Date(savedAt).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  const text = element('p', 'text', excerptOf(draft));
  text.dir = 'auto';
  const open = element('a', 'button', 'Open');
  open.setAttribute('href', draftAddress(path, place));
  const remove = element('button', 'plain', 'Delete');
  remove.onclick = () => deleteDraft(key, changed);
  const actions = element('div', 'actions');
  actions.append(open, remove);
  const above = element('p', 'above', [kindOf(draft), ...partsOf(draft), saved].join(' · '));
  item.append(above, text, actions);
  return item;
}

function deleteDraft(key: string, changed: () => void): void {
  const text = storedText(key);
  removeText(key);
  changed();
  const { toast, undo } = undoToast('The draft is deleted. ');
  const timer = setTimeout(() => toast.remove(), UNDO_MS);
  undo.onclick = () => {
    clearTimeout(timer);
    toast.remove();
    if (text !== null) storeText(key, text);
    changed();
    document.querySelector<HTMLElement>('.draft-list a')?.focus();
  };
  undo.focus();
}

/** The most characters of a draft that the list shows. */
const MAX_EXCERPT = 400;

function excerptOf({ fields }: Draft): string {
  const texts = fields.filter(([name, value]) => name === 'text' && value.trim() !== '');
  const whole = texts.map(([, value]) => value).join('\n\n');
  return whole.length > MAX_EXCERPT ? `${whole.slice(0, MAX_EXCERPT)}…` : whole;
}

function kindOf({ path, to = '', fields }: Draft): string {
  if (path.startsWith('/messages/')) return to === '' ? 'Message' : `Message to ${to}`;
  const has = (name: string): boolean => fields.some((field) => field[0] === name);
  if (has('edit')) return 'Edit';
  if (has('reply_to')) return 'Reply';
  return has('quote') ? 'Quote' : 'Post';
}

/** Says what a draft has beside one text. */
function partsOf({ fields }: Draft): string[] {
  const count = (name: string): number =>
    fields.filter(([each, value]) => each === name && value !== '').length;
  const [texts, files] = [count('text'), count('media')];
  const hasPoll = fields.some(([name, value]) => name.startsWith('option') && value !== '');
  return [
    ...(texts > 1 ? [`${texts} texts`] : []),
    ...(files > 0 ? [files === 1 ? '1 file' : `${files} files`] : []),
    ...(hasPoll ? ['poll'] : []),
  ];
}
