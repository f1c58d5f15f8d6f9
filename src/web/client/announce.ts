import { element } from './element.js';

let region: HTMLElement | undefined;

/** Shows a message for some seconds and lets screen readers say it. */
export function announce(text: string): void {
  if (!region) {
    region = element('div', 'toast');
    region.role = 'status';
    document.body.append(region);
  }
  region.textContent = text;
  region.classList.add('shown');
  const shown = region;
  setTimeout(() => {
    if (shown.textContent === text) shown.classList.remove('shown');
  }, 6_000);
}
