import { focusPost, postInView, postsOf, scrollTo } from './page-parts.js';

/** What a key does. */
export interface Shortcut {
  /** The key, or `g` and a second one. */
  readonly keys: string;
  readonly words: string;
  readonly run: () => void;
}

/** The pages that `g` and a letter lead to, by their names in the navigation. */
const PLACES: Readonly<Record<string, string>> = {
  h: 'Home',
  e: 'Explore',
  n: 'Notifications',
  m: 'Messages',
  b: 'Bookmarks',
  l: 'Lists',
  p: 'Profile',
  s: 'Settings',
};

/** Returns what keys do on this page: for the post with the focus, or else the first one in view. */
export function shortcutsOfPage(): Shortcut[] {
  const places = Object.entries(PLACES).flatMap(([letter, name]) => {
    const link = linkTo(name);
    return link ? [{ keys: `g ${letter}`, words: name, run: () => link.click() }] : [];
  });
  return [
    { keys: 'j', words: 'Next post', run: () => step(1) },
    { keys: 'k', words: 'Previous post', run: () => step(-1) },
    { keys: 'o', words: 'Open the post (also Enter)', run: () => clickInPost('a.time') },
    { keys: 'r', words: 'Reply', run: () => clickInPost('.act.reply') },
    { keys: 'l', words: 'Like', run: () => clickInPost('button.act.like') },
    { keys: 't', words: 'Repost', run: () => clickInPost('button.act.repost') },
    { keys: 'b', words: 'Bookmark', run: () => clickInPost('button.act.bookmark') },
    { keys: 'q', words: 'Quote', run: quote },
    { keys: 'n', words: 'Write a post', run: write },
    { keys: '/', words: 'Search', run: search },
    { keys: '.', words: 'Show new posts, or go to the top', run: showNew },
    ...mediaKeys(),
    ...places,
  ];
}

/** The keys of a page of one of several media. */
function mediaKeys(): Shortcut[] {
  return (['previous', 'next'] as const).flatMap((way) => {
    const link = document.getElementById(`${way}-media`);
    const [key, words] =
      way === 'next'
        ? (['ArrowRight', 'Next picture'] as const)
        : (['ArrowLeft', 'Previous picture'] as const);
    return link ? [{ keys: key, words, run: () => link.click() }] : [];
  });
}

function linkTo(name: string): HTMLAnchorElement | undefined {
  const links = document.querySelectorAll<HTMLAnchorElement>('.main-links a.nav-link');
  return [...links].find((link) => link.querySelector('span')?.textContent.trim() === name);
}

/** The post with the focus. */
export function focusedPost(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>('article.post') ?? undefined;
}

function step(by: 1 | -1): void {
  const posts = postsOf(document).filter((post) => post.checkVisibility());
  const current = focusedPost();
  const inView = postInView();
  const next = current ? posts[posts.indexOf(current) + by] : inView;
  if (!next) return;
  focusPost(next);
  scrollTo(next, 'center');
}

function clickInPost(selector: string): void {
  const post = focusedPost() ?? postInView();
  post?.querySelector<HTMLElement>(selector)?.click();
}

function quote(): void {
  const id = (focusedPost() ?? postInView())?.dataset['id'];
  if (id !== undefined) location.assign(`/compose/post?quote=${id}`);
}

function write(): void {
  const field = document.querySelector<HTMLElement>('form.composer textarea');
  if (field) field.focus();
  else location.assign('/compose/post');
}

function search(): void {
  const fields = document.querySelectorAll<HTMLElement>('form.search input[name=q]');
  const field = [...fields].find((each) => each.checkVisibility());
  if (field) field.focus();
  else location.assign('/explore');
}

function showNew(): void {
  const button = document.querySelector<HTMLButtonElement>('.news button:not([hidden])');
  if (button) button.click();
  else scrollTo(document.body, 'start');
}
