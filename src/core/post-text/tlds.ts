import { codeUnitSet } from './characters.js';
import { ASCII_TLDS, UNICODE_TLDS } from './tld-list.js';

const ASCII = new Set(words(ASCII_TLDS));
const LONGEST_ASCII = Math.max(...words(ASCII_TLDS).map((tld) => tld.length));
const UNICODE_BY_FIRST = groupByFirst(words(UNICODE_TLDS));
const PUNYCODE = /xn--[-0-9a-z]+/iy;

const isAlphanumeric = codeUnitSet('0-9A-Za-z');
/** A name that goes on with one of these is no link but a part of a longer word or an address. */
const continuesName = codeUnitSet('0-9A-Za-z@+\\-');

/**
 * Where the top-level domain that starts at `start` ends, or -1 when none starts there. Text may follow it directly if
 * it is not in ASCII letters or digits ("example.comです").
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

/** Longest first, so that a name is not cut to a shorter one that it begins with. */
function groupByFirst(tlds: string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const tld of tlds.sort((a, b) => b.length - a.length)) {
    groups.set(tld.charAt(0), [...(groups.get(tld.charAt(0)) ?? []), tld]);
  }
  return groups;
}
