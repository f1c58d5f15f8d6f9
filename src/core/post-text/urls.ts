import { domainToASCII } from 'node:url';
import { isLowSurrogate } from '../unicode.js';
import { codeUnitSet, INVALID, LATIN_ACCENTS } from './characters.js';
import { type DomainRun, type UnitSpan, domainEndFrom, domainRunAround, latinDomains } from './domains.js';

const PATH = `a-zA-Z0-9!*';:=+,.$/%#\\[\\]\\-–_~@|&\\u0400-\\u04FF${LATIN_ACCENTS}`;
const PATH_END = `a-zA-Z0-9=_#/+\\-\\u0400-\\u04FF${LATIN_ACCENTS}`;
/** Balanced parentheses in a path, nested at most once. */
const PAIR = `\\((?:[${PATH}]+|[${PATH}]*\\([${PATH}]+\\)[${PATH}]*)\\)`;
const QUERY = "\\?[a-zA-Z0-9!?*'@();:&=+$/%#\\[\\]\\-_.,~|]*[a-zA-Z0-9\\-_&=#/]";
/** What may follow a domain: port, path (group 1), query. */
const TAIL = new RegExp(
  `(?::[0-9]+)?(/(?:(?:[${PATH}]|${PAIR})*(?:[${PATH_END}]|${PAIR}))?)?(?:${QUERY})?`,
  'y',
);
/** Links of X's shortener contain only letters and digits, so following punctuation is text. */
const SHORT_LINK = new RegExp(`https?://t\\.co/([a-z0-9]+)(?:${QUERY})?`, 'iy');

const MAX_SHORT_LINK_SLUG = 40;
const MAX_LABEL = 63;
/** A label never has more characters than its ASCII form, whose computation takes quadratic time. */
const MAX_LABEL_UNITS = 2 * MAX_LABEL;
const LABEL_END = /[.\u3002\uFF0E\uFF61]/;
const MAX_URL = 4096;

const precedesNoUrl = codeUnitSet(`A-Za-z0-9@＠$#＃${INVALID}`);
const precedesNoBareDomain = codeUnitSet('\\-_./');

/** The links of a run, and the end of the text that they consume; none if no link starts in the run. */
interface Found {
  readonly urls: readonly UnitSpan[];
  readonly end: number;
}

/**
 * Returns the links in a text, in UTF-16 units and text order: with `http://` or `https://`, or bare domains with a
 * known top-level domain (docs/api/posts.md#length, docs/api/posts.md#entities, and the published conformance cases).
 * Takes linear time.
 */
export function findUrls(text: string): UnitSpan[] {
  const urls: UnitSpan[] = [];
  let from = 0;
  let look = 0;
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', look)) {
    const run = domainRunAround(text, dot, from);
    const found = run === undefined ? undefined : urlsOfRun(text, run, from);
    urls.push(...(found?.urls ?? []));
    from = found?.end ?? from;
    look = Math.max(dot + 1, found?.end ?? run?.end ?? 0);
  }
  return urls;
}

function urlsOfRun(text: string, run: DomainRun, from: number): Found | undefined {
  const scheme = schemeBefore(text, run.start, from);
  const domainEnd = scheme < 0 ? -1 : (run.domainEnds[0] ?? -1);
  if (domainEnd >= 0) return urlWithScheme(text, scheme, { start: run.start, end: domainEnd });
  return bareUrls(text, run, from);
}

/** Returns the start of the scheme before a run; -1 if there is none or the preceding character forbids a link. */
function schemeBefore(text: string, start: number, from: number): number {
  if (text.charAt(start - 1) !== '/') return -1;
  const scheme = /https?:\/\/$/i.exec(text.slice(Math.max(from, start - 8), start))?.[0];
  if (scheme === undefined) return -1;
  return mayStart(text, start - scheme.length, from) ? start - scheme.length : -1;
}

/** Reports whether a link may start here: the preceding character must not belong to another link. */
function mayStart(text: string, start: number, from: number): boolean {
  return start === 0 || (start > from && !precedesNoUrl(text.charCodeAt(start - 1)));
}

function urlWithScheme(text: string, start: number, domain: UnitSpan): Found {
  const tail = tailOf(text, domain.end);
  SHORT_LINK.lastIndex = start;
  const shortLink = SHORT_LINK.exec(text);
  const end = shortLink === null ? tail.end : start + shortLink[0].length;
  const allowed =
    (shortLink?.[1]?.length ?? 0) <= MAX_SHORT_LINK_SLUG && isAllowed(text, { start, end }, domain);
  return { urls: allowed ? [{ start, end }] : [], end: tail.end };
}

function bareUrls(text: string, run: DomainRun, from: number): Found | undefined {
  const domain = firstDomain(text, run, from);
  if (domain === undefined) return undefined;
  const tail = tailOf(text, domain.end);
  if (domain.start > 0 && precedesNoBareDomain(text.charCodeAt(domain.start - 1)))
    return { urls: [], end: tail.end };
  const urls = latinDomains(text, run, domain)
    .map((latin) => ({ latin, end: latin.end === domain.end && tail.hasPath ? tail.end : latin.end }))
    .filter(({ latin, end }) => isAllowed(text, { start: latin.start, end }, latin))
    .map(({ latin, end }) => ({ start: latin.start, end }));
  return { urls, end: tail.end };
}

/** Returns the first domain in the run at a position where a link may start, as long as possible. */
function firstDomain(text: string, run: DomainRun, from: number): UnitSpan | undefined {
  let index = 0;
  for (let start = run.start; start < run.end; start++) {
    while ((run.labels[index]?.dot ?? run.end) < start) index++;
    if (!mayStart(text, start, from) || isLowSurrogate(text.charCodeAt(start))) continue;
    const end = domainEndFrom(text, run, index, start);
    if (end >= 0) return { start, end };
  }
  return undefined;
}

function tailOf(text: string, domainEnd: number): { end: number; hasPath: boolean } {
  TAIL.lastIndex = domainEnd;
  const match = TAIL.exec(text);
  return { end: domainEnd + (match?.[0].length ?? 0), hasPath: match?.[1] !== undefined };
}

/**
 * Reports whether a link is within the length limit and its domain is valid in the DNS (RFC 1035 2.3.4, RFC 3490).
 */
function isAllowed(text: string, url: UnitSpan, domain: UnitSpan): boolean {
  if (url.end - url.start > MAX_URL) return false;
  const name = text.slice(domain.start, domain.end);
  if (name.split(LABEL_END).some((label) => label.length > MAX_LABEL_UNITS)) return false;
  const ascii = /^[\0-\x7f]*$/.test(name) ? name : domainToASCII(name);
  return ascii !== '' && ascii.split('.').every((label) => label.length <= MAX_LABEL);
}
