/** Loads a page of this server. Throws for any other answer. */
export async function loadPage(path: string): Promise<Document> {
  const answer = await fetch(path, { headers: { accept: 'text/html' } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Returns the list of posts of a page. */
export function timelineOf(page: ParentNode): HTMLElement | undefined {
  return page.querySelector<HTMLElement>('.timeline[data-viewer]') ?? undefined;
}

/** Returns the posts of an element, in order. */
export function postsOf(element: ParentNode): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('article.post')];
}

/** Returns the link to the next page of a list. */
export function nextLinkOf(page: ParentNode): HTMLAnchorElement | undefined {
  return page.querySelector<HTMLAnchorElement>('.pages a[rel=next]') ?? undefined;
}

/** Returns the first post that is not above the window. */
export function postInView(): HTMLElement | undefined {
  return postsOf(document).find((post) => post.getBoundingClientRect().bottom > 0);
}

/** Changes the page above the post in view, or around it, without moving that post. */
export function keepPlace(change: () => void): void {
  const { documentElement: root } = document;
  const id = postInView()?.id;
  const topOf = (): number =>
    (id === undefined ? null : document.querySelector(`#${CSS.escape(id)}`))?.getBoundingClientRect().top ??
    0;
  const before = topOf();
  // The browser would move the page, too.
  root.style.overflowAnchor = 'none';
  change();
  scrollBy({ top: topOf() - before, behavior: 'instant' });
  requestAnimationFrame(() => requestAnimationFrame(() => root.style.removeProperty('overflow-anchor')));
}

/** Gives the focus to a post, without moving the page. */
export function focusPost(post: HTMLElement): void {
  post.tabIndex = -1;
  post.focus({ preventScroll: true });
}

/** Scrolls smoothly unless the reader wants less motion. */
export function scrollTo(element: Element, block: ScrollLogicalPosition): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({ block, behavior: isCalm ? 'instant' : 'smooth' });
}
