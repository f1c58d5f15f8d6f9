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

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let shortFormat: Intl.DateTimeFormat | undefined;

/**
 * Formats a time in the past as briefly as its age allows: `5m`, `3h`, `21 Nov 2026`. The exact time is the element's
 * title; the script shows it in the reader's zone and language.
 */
export function timeText(timeMs: number, nowMs: number): Html {
  const time = new Date(timeMs);
  const exact = `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return html`<time datetime="${time.toISOString()}" title="${exact}">${ageText(timeMs, nowMs)}</time>`;
}

function ageText(timeMs: number, nowMs: number): string {
  const ageMs = nowMs - timeMs;
  if (ageMs >= 0 && ageMs < MINUTE_MS) return 'now';
  if (ageMs >= 0 && ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)}m`;
  if (ageMs >= 0 && ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)}h`;
  shortFormat ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  return shortFormat.format(timeMs);
}

/** Formats a time of day, for example `07:40 UTC`, as a `time` element. */
export function clockText(timeMs: number): Html {
  const time = new Date(timeMs).toISOString();
  return html`<time datetime="${time}">${time.slice(11, 16)} UTC</time>`;
}
