/** What does something itself when it is clicked. */
const ACTIVE = 'a, button, input, textarea, select, label, summary, video, form, dialog, .acts, .alt';

/** Opens a post, or the one that it quotes, when someone clicks beside its links and buttons. */
export function openClickedPosts(): void {
  document.body.classList.add('opens-posts');
  document.addEventListener('click', (event) => {
    const { target } = event;
    if (event.defaultPrevented || !(target instanceof Element) || target.closest(ACTIVE)) return;
    // Whoever marks a text wants to copy it.
    if (getSelection()?.isCollapsed === false) return;
    const place = target.closest('.quoted') ?? target.closest('article.post:not(.main)');
    const link = place?.querySelector<HTMLAnchorElement>('a.time');
    if (!link) return;
    if (event.ctrlKey || event.metaKey) open(link.href, '_blank', 'noopener');
    else link.click();
  });
}
