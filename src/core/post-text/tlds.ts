import { codeUnitSet } from './characters.js';
import { ASCII_TLDS, UNICODE_TLDS } from './tld-list.js';

const ASCII = new Set(words(ASCII_TLDS));
const LONGEST_ASCII = Math.max(...words(ASCII_TLDS).map((tld) => tld.length));
const UNICODE_BY_FIRST = groupByFirst(words(UNICODE_TLDS));
const PUNYCODE = /xn--[-0-9a-z]+/iy;

const isAlphanumeric = codeUnitSet('0-9A-Za-z');
/** A name followed by one of these is part of a longer word or an email address, not a link. */
const continuesName = codeUnitSet('0-9A-Za-z@+\\-');

/**
 * Returns the end of the top-level domain that starts at `start`, or -1 if none does. Text may follow directly unless
 * it starts with an ASCII letter or digit ("example.comです").
 */
export function topLevelDomainEnd(text: string, start: number): number {
  const end = asciiTldEnd(text, start);
  return end >= 0 ? end : unicodeTldEnd(text, start);
}

function asciiTldEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && isAlphanumeric(text.charCodeAt(end))) end++;
  if (end === start) return -1;
  if (
    end - start <= LONGEST_ASCII &&
    endsName(text, end) &&
    ASCII.has(text.slice(start, end).toLowerCase())
  ) {
    return end;
  }
  PUNYCODE.lastIndex = start;
  return PUNYCODE.test(text) ? PUNYCODE.lastIndex : -1;
}

function unicodeTldEnd(text: string, start: number): number {
  for (const tld of UNICODE_BY_FIRST.get(text.charAt(start).toLowerCase()) ?? []) {
    const end = start + tld.length;
    if (text.slice(start, end).toLowerCase() === tld && endsName(text, end)) return end;
  }
  return -1;
}

function endsName(text: string, end: number): boolean {
  return end === text.length || !continuesName(text.charCodeAt(end));
}

function words(list: string): string[] {
  return list.trim().split(/\s+/);
}

/** Groups domains by their first character, longest first, so that the longest match is found. */
function groupByFirst(tlds: string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const tld of tlds.sort((a, b) => b.length - a.length)) {
    groups.set(tld.charAt(0), [...(groups.get(tld.charAt(0)) ?? []), tld]);
  }
  return groups;
}
