import { html, type Html } from '../api/reference/html.js';
import { formatOf, readerLocale } from './reader-locale.js';

/** Formats a day in the reader's language and zone, for example `21 November 2026`, as a `time` element. */
export function dayText(timeMs: number): Html {
  return html`<time datetime="${new Date(timeMs).toISOString()}" ${language()}>${dayOf(timeMs)}</time>`;
}

/** Formats a time, for example `21 November 2026, 07:40 UTC`. */
export function momentText(timeMs: number): Html {
  return html`${dayText(timeMs)}, ${clockOf(timeMs)}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Formats a time in the past as briefly as its age allows: `5m`, `3h`, `21 Nov 2026`. The exact time is the element's
 * title; the script shows it on a tap.
 */
export function timeText(timeMs: number, nowMs: number): Html {
  const exact = `${dayOf(timeMs)}, ${clockOf(timeMs)}`;
  return html`<time datetime="${new Date(timeMs).toISOString()}" title="${exact}" ${language()}
    >${ageText(timeMs, nowMs)}</time
  >`;
}

/** Pages are in English; a date in another language says so. */
function language(): Html | undefined {
  const { language: lang } = readerLocale();
  return /^en\b/.test(lang) ? undefined : html`lang="${lang}"`;
}

function dayOf(timeMs: number): string {
  const format = formatOf(
    'day',
    ({ language: lang, zone }) => new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: zone }),
  );
  return format.format(timeMs);
}

function clockOf(timeMs: number): string {
  const format = formatOf(
    'clock',
    ({ language: lang, zone }) =>
      new Intl.DateTimeFormat(lang, {
        hour: '2-digit',
        minute: '2-digit',
        timeZone: zone,
        timeZoneName: 'short',
      }),
  );
  return format.format(timeMs);
}

function ageText(timeMs: number, nowMs: number): string {
  const ageMs = nowMs - timeMs;
  if (ageMs >= 0 && ageMs < MINUTE_MS) return 'now';
  if (ageMs >= 0 && ageMs < HOUR_MS) return inUnits(ageMs / MINUTE_MS, 'minute');
  if (ageMs >= 0 && ageMs < DAY_MS) return inUnits(ageMs / HOUR_MS, 'hour');
  const format = formatOf(
    'short day',
    ({ language: lang, zone }) => new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: zone }),
  );
  return format.format(timeMs);
}

function inUnits(value: number, unit: 'minute' | 'hour'): string {
  const format = formatOf(
    unit,
    ({ language: lang }) => new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'narrow' }),
  );
  return format.format(Math.floor(value));
}

/** Formats a time of day, for example `07:40 UTC`, as a `time` element. */
export function clockText(timeMs: number): Html {
  const time = new Date(timeMs).toISOString();
  return html`<time datetime="${time}">${time.slice(11, 16)} UTC</time>`;
}
