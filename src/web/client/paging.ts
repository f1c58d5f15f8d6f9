/** Loads the next page of a timeline when its end comes near, and puts its posts below the others. */
export function enhancePaging(): void {
  const timeline = document.querySelector('.timeline');
  if (!timeline) return;
  const watcher = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void loadMore(timeline, watcher);
    },
    { rootMargin: '1200px' },
  );
  watch(watcher);
}

function nextLink(): HTMLAnchorElement | null {
  return document.querySelector('.pages a[rel=next]');
}

function watch(watcher: IntersectionObserver): void {
  const link = nextLink();
  if (link) watcher.observe(link);
}

async function loadMore(timeline: Element, watcher: IntersectionObserver): Promise<void> {
  const link = nextLink();
  if (!link || link.ariaBusy === 'true') return;
  link.ariaBusy = 'true';
  watcher.unobserve(link);
  try {
    const answer = await fetch(link.href, { headers: { accept: 'text/html' } });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const known = new Set([...timeline.children].map(({ id }) => id));
    for (const post of page.querySelectorAll('.timeline > *')) if (!known.has(post.id)) timeline.append(post);
    const after = page.querySelector('.pages a[rel=next]');
    if (after) link.replaceWith(after);
    else link.remove();
    watch(watcher);
  } catch {
    // The link remains: a click loads the page.
    link.ariaBusy = null;
  }
}
