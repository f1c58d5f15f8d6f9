import { html, type Html } from '../api/reference/html.js';

/** Created at its first use: loading its data takes 10 ms. */
let dayFormat: Intl.DateTimeFormat | undefined;

/** Formats a day, for example `21 November 2026`, as a `time` element. */
export function dayText(timeMs: number): Html {
  const time = new Date(timeMs);
  dayFormat ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return html`<time datetime="${time.toISOString()}">${dayFormat.format(time)}</time>`;
}

/** Formats a time, for example `21 November 2026, 07:40 UTC`. */
export function momentText(timeMs: number): Html {
  const time = new Date(timeMs).toISOString();
  return html`${dayText(timeMs)}, ${time.slice(11, 16)} UTC`;
}
