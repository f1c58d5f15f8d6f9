import { element } from '../element.js';
import { loadPage, postsOf, timelineOf } from './page-parts.js';

/** How far from the window pages stay in the document, in pixels. */
const NEAR = '3000px';
/** The pages that are out of the document and kept as markup; others are loaded again. */
const MAX_KEPT = 40;

/** A page of posts of a long list. */
export interface StoredPage {
  /** Where it can be loaded again; empty if nowhere. */
  readonly src: string;
  /** In pixels, when the page was taken out of the document. */
  readonly height?: number;
  /** Absent if the page must be loaded again. */
  readonly markup?: string;
}

/**
 * A list of posts in pages, of which only those near the window are in the document: memory stays flat however long the
 * list becomes. A page that is taken out leaves its height.
 */
export class PageWindow {
  /** The markup of pages that were taken out, the newest last. */
  readonly #kept = new Map<Element, string>();
  readonly #ids = new Set<string>();
  readonly #watcher: IntersectionObserver;

  /** Makes the posts of a timeline its first page. */
  constructor(private readonly timeline: HTMLElement) {
    this.#watcher = new IntersectionObserver((entries) => this.#notice(entries), { rootMargin: NEAR });
    this.#add(postsOf(timeline), '', 'append');
  }

  /** Reports whether the list has a post, in the document or not. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Adds a page at the end; posts that the list has already are left out. */
  append(posts: readonly HTMLElement[], src: string): void {
    this.#add(posts, src, 'append');
  }

  /** Adds new posts at the top. */
  prepend(posts: readonly HTMLElement[]): void {
    const { nextElementSibling: none } = this.timeline;
    if (posts.length > 0 && none?.matches('.absent') === true) {
      none.remove();
      this.timeline.role = 'feed';
      this.timeline.ariaLabel = this.timeline.dataset['label'] ?? '';
    }
    this.#add(posts, '', 'prepend');
  }

  /** Returns all pages, with the markup of those in the document. */
  stored(): StoredPage[] {
    return this.#pages().map((page) => ({
      src: page.dataset['src'] ?? '',
      height: page.getBoundingClientRect().height,
      markup: isOut(page) ? undefined : page.innerHTML,
    }));
  }

  /** Replaces the list by one that was stored, with the ids of its posts. */
  restore(pages: readonly StoredPage[], ids: readonly string[]): void {
    this.#watcher.disconnect();
    this.#kept.clear();
    for (const id of ids) this.#ids.add(id);
    this.timeline.replaceChildren(
      ...pages.map(({ src, height = 0, markup }) => {
        const page = newPage(src);
        if (markup === undefined) page.style.height = `${height}px`;
        else page.innerHTML = markup;
        return page;
      }),
    );
    for (const page of this.#pages()) this.#watcher.observe(page);
  }

  ids(): string[] {
    return [...this.#ids];
  }

  /** Loads what the list shows in view again, for what has become of its posts since. */
  async refresh(): Promise<void> {
    for (const page of this.#pages().filter(isInView)) {
      const loaded = await loadPage(page.dataset['src'] || location.href);
      for (const { id, dataset } of postsOf(loaded)) {
        const acts = loaded.querySelector(`#${CSS.escape(id)} > .acts`);
        const shown = page.querySelector(`.post[data-id="${CSS.escape(dataset['id'] ?? '')}"] > .acts`);
        if (acts && shown && !shown.contains(document.activeElement)) shown.replaceWith(acts);
      }
    }
  }

  #pages(): HTMLElement[] {
    return [...this.timeline.children].filter((page) => page instanceof HTMLElement);
  }

  #add(posts: readonly HTMLElement[], src: string, place: 'append' | 'prepend'): void {
    const added = posts.filter(({ id }) => !this.#ids.has(id));
    for (const { id } of added) this.#ids.add(id);
    if (added.length === 0) return;
    const page = newPage(src);
    page.append(...added);
    this.timeline[place](page);
    this.#watcher.observe(page);
  }

  #notice(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      if (!(target instanceof HTMLElement) || !target.isConnected) continue;
      if (isIntersecting) void this.#bringBack(target);
      else this.#takeOut(target, boundingClientRect.height);
    }
  }

  #takeOut(page: HTMLElement, height: number): void {
    // The first page, and posts that came since, are other ones when they are loaded again.
    const isLasting = page.dataset['src'] === '' || page.contains(document.activeElement);
    if (isLasting || isOut(page) || page.childElementCount === 0) return;
    this.#kept.set(page, page.innerHTML);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest) this.#kept.delete(oldest);
    page.style.height = `${height}px`;
    page.replaceChildren();
  }

  async #bringBack(page: HTMLElement): Promise<void> {
    if (!isOut(page) || page.ariaBusy === 'true') return;
    const markup = this.#kept.get(page);
    this.#kept.delete(page);
    if (markup === undefined) await this.#loadAgain(page);
    else page.innerHTML = markup;
    if (page.childElementCount > 0) page.style.removeProperty('height');
  }

  async #loadAgain(page: HTMLElement): Promise<void> {
    page.ariaBusy = 'true';
    try {
      const loaded = timelineOf(await loadPage(page.dataset['src'] ?? ''));
      page.replaceChildren(...postsOf(loaded ?? page));
    } catch {
      // It is tried again when the page comes near the next time.
    }
    page.ariaBusy = null;
  }
}

function newPage(src: string): HTMLElement {
  const page = element('div', 'page');
  page.dataset['src'] = src;
  return page;
}

function isOut(page: HTMLElement): boolean {
  return page.style.height !== '';
}

function isInView(page: HTMLElement): boolean {
  const { top, bottom } = page.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
