import type { PageWindow } from './page-window.js';
import { loadPage, nextLinkOf, postsOf, timelineOf } from './page-parts.js';

/** Loads the next page of a list when its end comes near, and puts its posts below the others. */
export function enhancePaging(timeline: HTMLElement, list: PageWindow): void {
  const watcher = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void loadMore(timeline, list, watcher);
    },
    { rootMargin: '1500px' },
  );
  watch(watcher);
}

function watch(watcher: IntersectionObserver): void {
  const link = nextLinkOf(document);
  if (link) watcher.observe(link);
}

async function loadMore(
  timeline: HTMLElement,
  list: PageWindow,
  watcher: IntersectionObserver,
): Promise<void> {
  const link = nextLinkOf(document);
  if (!link || link.ariaBusy === 'true') return;
  link.ariaBusy = timeline.ariaBusy = 'true';
  watcher.unobserve(link);
  try {
    const page = await loadPage(link.href);
    const posts = timelineOf(page);
    list.append(posts ? postsOf(posts) : [], link.getAttribute('href') ?? '');
    const after = nextLinkOf(page);
    if (after) link.replaceWith(after);
    else link.remove();
    watch(watcher);
  } catch {
    // The link remains: a click loads the page.
    link.ariaBusy = null;
  }
  timeline.ariaBusy = null;
}
