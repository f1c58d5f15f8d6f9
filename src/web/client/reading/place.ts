import { postInView } from './page-parts.js';
import type { PageWindow, StoredPage } from './page-window.js';

/** A list as the reader left it. */
interface Place {
  /** The viewer; another one may use the tab meanwhile. */
  readonly viewer: string;
  readonly newest: string;
  readonly pages: readonly StoredPage[];
  readonly ids: readonly string[];
  /** The links to other pages. */
  readonly links: string;
  /** The post that was in view, and its distance from the top of the window. */
  readonly postId: string;
  readonly top: number;
}

const PREFIX = 'place ';

/**
 * Keeps the list and the place in it for the reader who comes back to the page. The tab keeps it until it is closed or
 * the user signs out.
 */
export function keepPlaceForReturn(timeline: HTMLElement, list: PageWindow): void {
  const key = PREFIX + location.pathname + location.search;
  const viewer = timeline.dataset['viewer'] ?? '';
  const [entry] = performance.getEntriesByType('navigation');
  if (entry instanceof PerformanceNavigationTiming && entry.type === 'back_forward')
    comeBack(timeline, list, read(key, viewer));
  addEventListener('pagehide', () => {
    if (isLeaving) return;
    const post = postInView();
    store(key, {
      viewer,
      newest: timeline.dataset['newest'] ?? '',
      pages: list.stored(),
      ids: list.ids(),
      links: linksOf()?.innerHTML ?? '',
      postId: post?.id ?? '',
      top: post?.getBoundingClientRect().top ?? 0,
    });
  });
}

/** Forms after which another account, or none, is in front of the browser. */
const LEAVING = /\/(?:sign-out|my-account\/switch)$/;

let isLeaving = false;

/** Forgets all lists when the user signs out or changes the account. */
export function forgetPlacesAtSignOut(): void {
  document.addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement) || !LEAVING.test(target.action)) return;
    isLeaving = true;
    forgetPlaces();
  });
  if (!document.body.classList.contains('signed-in')) forgetPlaces();
}

function forgetPlaces(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

function comeBack(timeline: HTMLElement, list: PageWindow, place: Place | undefined): void {
  if (!place) return;
  list.restore(place.pages, place.ids);
  if (place.newest !== '') timeline.dataset['newest'] = place.newest;
  const links = linksOf();
  if (links) links.innerHTML = place.links;
  history.scrollRestoration = 'manual';
  addEventListener('pagehide', () => (history.scrollRestoration = 'auto'));
  showPost(place);
  void list.refresh().catch(() => undefined);
}

/** The frames in which what comes into view may still get another height. */
const FRAMES = 30;

/**
 * Keeps a post where it was until its neighbours have their heights, or the reader scrolls. The browser measures posts
 * that come into view after the callbacks of a frame; the observer moves the page before that frame is painted.
 */
function showPost({ postId, top }: Place): void {
  const post = document.querySelector(`#${CSS.escape(postId || 'none')}`);
  if (!post) return;
  let frames = FRAMES;
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(event, () => (frames = 0), { once: true, passive: true });
  const move = (): void => {
    if (frames > 0) scrollBy({ top: post.getBoundingClientRect().top - top, behavior: 'instant' });
  };
  const heights = new ResizeObserver(move);
  heights.observe(document.body);
  const step = (): void => {
    move();
    frames -= 1;
    if (frames > 0) requestAnimationFrame(step);
    else heights.disconnect();
  };
  step();
}

function linksOf(): HTMLElement | null {
  return document.querySelector('nav.pages');
}

function read(key: string, viewer: string): Place | undefined {
  try {
    const place = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Place | null;
    return place?.viewer === viewer ? place : undefined;
  } catch {
    return undefined;
  }
}

function store(key: string, place: Place): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(place));
  } catch {
    // There is no more room: of the others, the reader loses the place.
    forgetPlaces();
  }
}
