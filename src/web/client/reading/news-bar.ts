import { element } from '../element.js';
import { focusPost, scrollTo } from './page-parts.js';

/** What a bar announces. */
export interface Announced {
  /** Names a number of posts. */
  readonly words: (count: number) => string;
  /** Adds the new posts to the page and returns them, in order. */
  readonly load: () => Promise<readonly HTMLElement[]>;
}

const BUSY = 'Loading …';

/**
 * A bar above posts that announces new ones. It covers a strip instead of moving the page. A click loads them; those that
 * are out of view then, a second click shows.
 */
export class NewsBar {
  readonly #bar = element('div', 'news');
  readonly #button = element('button');
  readonly #status = element('span', 'hidden');
  #onClick: () => void = () => undefined;
  /** True while the button leads to posts that are loaded already. */
  #isLeading = false;

  constructor(
    before: Element,
    private readonly announced: Announced,
  ) {
    this.#button.type = 'button';
    this.#button.hidden = true;
    this.#button.dataset['key'] = '.';
    this.#status.role = 'status';
    this.#bar.append(this.#button, this.#status);
    before.before(this.#bar);
    this.#button.addEventListener('click', () => this.#onClick());
  }

  /** Shows a number of new posts; the bar disappears at 0. */
  show(count: number): void {
    if (this.#button.textContent === BUSY) return;
    if (count === 0) {
      // What was loaded is still out of view.
      if (!this.#isLeading) this.#hide();
      return;
    }
    // Readers of screens hear once that there is something new, not each number.
    if (this.#button.hidden) this.#status.textContent = this.announced.words(count);
    this.#offer(this.announced.words(count), () => void this.#load());
  }

  async #load(): Promise<void> {
    this.#offer(BUSY, () => undefined);
    try {
      const [first] = (await this.announced.load()).filter((post) => post.isConnected);
      if (first) this.#lead(first);
      else this.#hide();
    } catch {
      this.#offer('The new posts could not be loaded. Try again.', () => void this.#load());
    }
  }

  /** Leads to the first of the new posts: at once if it is in view, so that nothing moves, otherwise by a click. */
  #lead(first: HTMLElement): void {
    const { top } = first.getBoundingClientRect();
    const isAbove = top < 0;
    if (!isAbove && top < innerHeight - 80) {
      const hadFocus = this.#bar.contains(document.activeElement);
      this.#hide();
      if (hadFocus) focusPost(first);
      return;
    }
    this.#offer(isAbove ? '↑ New posts are above' : '↓ New posts are below', () => {
      scrollTo(first, isAbove ? 'start' : 'center');
      focusPost(first);
      this.#hide();
    });
    this.#isLeading = true;
  }

  #offer(text: string, onClick: () => void): void {
    this.#isLeading = false;
    this.#button.textContent = text;
    this.#button.hidden = false;
    this.#onClick = onClick;
  }

  #hide(): void {
    this.#isLeading = false;
    this.#button.hidden = true;
    this.#button.textContent = '';
    this.#status.textContent = '';
  }
}
