import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { readCookies } from './cookies.js';

/** How a page writes dates and numbers. */
export interface ReaderLocale {
  /** A BCP 47 tag that `Intl` knows. */
  readonly language: string;
  /** A name of the IANA time zone database. */
  readonly zone: string;
}

const DEFAULT: ReaderLocale = { language: 'en-GB', zone: 'UTC' };

/** The cookie that the script sets; the others of this server are HttpOnly (client/reading/times.ts). */
const ZONE_COOKIE = 'pipit_zone';

const current = new AsyncLocalStorage<ReaderLocale>();

/** Returns the locale of the reader whose page is being made; outside of pages, British English and UTC. */
export function readerLocale(): ReaderLocale {
  return current.getStore() ?? DEFAULT;
}

/** Makes a page for the reader who sent the headers. */
export function forReader<T>(headers: IncomingHttpHeaders, work: () => T): T {
  return current.run(localeOf(headers), work);
}

/** Returns the locale that a request asks for; what is unknown or malformed is replaced by the default. */
export function localeOf(headers: IncomingHttpHeaders): ReaderLocale {
  return {
    language: languageOf(headers['accept-language']) ?? DEFAULT.language,
    zone: zoneOf(readCookies(headers.cookie).get(ZONE_COOKIE)) ?? DEFAULT.zone,
  };
}

/** A language, perhaps with a script and a region: tags with more would make formats without number. */
const FIRST_TAG = /^ ?([a-z]{2,3}(?:-[a-z]{4})?(?:-[a-z]{2})?) ?(?:[,;]|$)/i;

function languageOf(accepted: string | undefined): string | undefined {
  const [, tag] = FIRST_TAG.exec(accepted ?? '') ?? [];
  return tag === undefined ? undefined : Intl.DateTimeFormat.supportedLocalesOf(tag)[0];
}

const zones = new Set(['UTC']);

function zoneOf(name: string | undefined): string | undefined {
  if (name === undefined || zones.has(name)) return name;
  if (!/^[A-Za-z0-9_+\-/]{1,40}$/.test(name)) return undefined;
  try {
    // Throws for names that are no zone. Cased variants of a name are one zone.
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    zones.add(timeZone);
    return timeZone;
  } catch {
    return undefined;
  }
}

/** Formats by their kind, language and zone. */
const formats = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();
const MAX_FORMATS = 500;

/** Returns a format of the reader's locale; making one takes up to 10 ms. `kind` names the options. */
export function formatOf<T extends Intl.DateTimeFormat | Intl.NumberFormat>(
  kind: string,
  create: (locale: ReaderLocale) => T,
): T {
  const locale = readerLocale();
  const key = `${kind} ${locale.language} ${locale.zone}`;
  const known = formats.get(key) as T | undefined;
  if (known) return known;
  const made = create(locale);
  const [oldest] = formats.keys();
  if (formats.size >= MAX_FORMATS && oldest !== undefined) formats.delete(oldest);
  formats.set(key, made);
  return made;
}
