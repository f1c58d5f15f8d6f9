import { html, type Html } from '../api/reference/html.js';

/** Formats a day, for example `21 November 2026`, as a `time` element. */
export function dayText(timeMs: number): Html {
  const time = new Date(timeMs);
  const text = `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()] ?? ''} ${time.getUTCFullYear()}`;
  return html`<time datetime="${time.toISOString()}">${text}</time>`;
}

/** Formats a time, for example `21 November 2026, 07:40 UTC`. */
export function momentText(timeMs: number): Html {
  const time = new Date(timeMs).toISOString();
  return html`${dayText(timeMs)}, ${time.slice(11, 16)} UTC`;
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
