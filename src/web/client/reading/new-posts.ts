import type { PageWindow } from './page-window.js';
import { keepPlace, loadPage, nextLinkOf, postsOf, timelineOf } from './page-parts.js';

/** More pages than these are not loaded to reach what is shown: the list begins again. */
const MAX_PAGES = 6;

/** Loads the posts above the ones of a timeline. Returns the new ones; those of the list itself move nowhere. */
export async function loadNewer(timeline: HTMLElement, list: PageWindow): Promise<readonly HTMLElement[]> {
  const path = timeline.dataset['path'] ?? location.pathname;
  const found: HTMLElement[] = [];
  let newest: string | undefined;
  for (let next: string | undefined = path, pages = 0; next !== undefined && pages < MAX_PAGES; pages += 1) {
    const page: Document = await loadPage(next);
    const posts = timelineOf(page);
    newest ??= posts?.dataset['newest'];
    const ids = postsOf(posts ?? page);
    const isKnown = ids.findIndex((post) => list.has(post.id));
    found.push(...(isKnown < 0 ? ids : ids.slice(0, isKnown)));
    next = isKnown < 0 ? nextLinkOf(page)?.href : undefined;
    if (next !== undefined && pages === MAX_PAGES - 1) {
      location.assign(path);
      return [];
    }
  }
  keepPlaceUnlessAtTop(timeline, () => list.prepend(found));
  if (newest !== undefined) timeline.dataset['newest'] = newest;
  return found;
}

/** Somebody who sees the first post sees the new ones above it. */
function keepPlaceUnlessAtTop(timeline: HTMLElement, change: () => void): void {
  if (timeline.getBoundingClientRect().top < 0) keepPlace(change);
  else change();
}

/** Loads the replies of the conversation again. Returns the new ones. */
export async function loadReplies(): Promise<readonly HTMLElement[]> {
  const known = new Set(postsOf(document).map(({ id }) => id));
  const page = await loadPage(location.pathname + location.search);
  const loaded = page.querySelector<HTMLElement>('[data-live=replies]');
  const shown = document.querySelector<HTMLElement>('[data-live=replies]');
  if (!loaded || !shown) return [];
  const { id: focused = '' } = document.activeElement?.closest('.post') ?? {};
  keepPlace(() => {
    shown.replaceChildren(...loaded.childNodes);
    shown.dataset['since'] = loaded.dataset['since'] ?? '';
  });
  const posts = postsOf(shown);
  if (!document.activeElement || document.activeElement === document.body)
    posts.find(({ id }) => id === focused)?.focus({ preventScroll: true });
  return posts.filter(({ id }) => !known.has(id));
}
