import {
  type CodeUnitSet,
  codeUnitSet,
  DIRECTIONAL_MARKS,
  INVALID,
  LATIN_ACCENTS,
  PUNCTUATION,
  SPACES,
} from './characters.js';
import { topLevelDomainEnd } from './tlds.js';

/** A range of UTF-16 code units; `end` is exclusive. */
export interface UnitSpan {
  readonly start: number;
  readonly end: number;
}

/** A label of a possible domain: the units before a dot. */
interface Label {
  readonly start: number;
  readonly dot: number;
  /** The end of a domain in which this is the last label before the top-level domain; -1 if none follows. */
  readonly tldEnd: number;
  /** The position of its last underscore; -1 if none. */
  readonly underscore: number;
}

/** A run of text without white space and punctuation, except dots, that may contain domains. */
export interface DomainRun extends UnitSpan {
  readonly labels: readonly Label[];
  /** For each label, the end of the longest domain that starts with the whole label; -1 if none. */
  readonly domainEnds: readonly number[];
}

const HYPHEN = 0x2d;
const DOT = 0x2e;
const UNDERSCORE = 0x5f;

const endsDomains = codeUnitSet(`${PUNCTUATION}${SPACES}${INVALID}${DIRECTIONAL_MARKS}＠＃`);
const isLatinUnit = codeUnitSet(`-0-9A-Za-z${LATIN_ACCENTS}`);

/** Reports whether a domain's label may start and end with this unit. */
const isDomainUnit: CodeUnitSet = (unit) => !endsDomains(unit);

/** Returns the run around the dot at `dot`, starting at `from` or later; undefined if it cannot contain a domain. */
export function domainRunAround(text: string, dot: number, from: number): DomainRun | undefined {
  if (dot === from || dot + 1 >= text.length) return undefined;
  if (!isDomainUnit(text.charCodeAt(dot - 1)) || !isDomainUnit(text.charCodeAt(dot + 1))) return undefined;
  let start = dot;
  let end = dot + 1;
  while (start > from && isRunUnit(text.charCodeAt(start - 1))) start--;
  while (end < text.length && isRunUnit(text.charCodeAt(end))) end++;
  const labels = readLabels(text, start, end);
  const domainEnds = labels.map(() => -1);
  for (let index = labels.length - 1; index >= 0; index--) {
    domainEnds[index] = domainEndFrom(text, { labels, domainEnds }, index, labels[index]?.start ?? end);
  }
  return { start, end, labels, domainEnds };
}

/**
 * Returns the end of the longest domain that starts at `start`, within the label with this index; -1 if none. Labels
 * start and end with a domain unit and may contain hyphens; only labels of subdomains may contain underscores.
 */
export function domainEndFrom(
  text: string,
  run: Pick<DomainRun, 'labels' | 'domainEnds'>,
  index: number,
  start: number,
): number {
  const label = run.labels[index];
  if (label === undefined || start >= label.dot) return -1;
  if (!isDomainUnit(text.charCodeAt(start)) || !isDomainUnit(text.charCodeAt(label.dot - 1))) return -1;
  const longer = run.domainEnds[index + 1] ?? -1;
  if (longer >= 0) return longer;
  return label.tldEnd >= 0 && label.underscore < start ? label.tldEnd : -1;
}

/**
 * Returns the Latin domains within `span` of a run. Without a scheme only these are links, so that a link may occur
 * in a sentence in a script without spaces.
 */
export function latinDomains(text: string, run: DomainRun, span: UnitSpan): UnitSpan[] {
  const labels = run.labels.filter(({ dot }) => dot >= span.start && dot < span.end);
  const found: UnitSpan[] = [];
  let floor = span.start;
  for (let index = 0; index < labels.length;) {
    const start = latinTailStart(text, labels[index], floor);
    const next = start < 0 ? index + 1 : latinChainEnd(text, labels, index);
    const last = start < 0 ? -1 : labels.slice(index, next).findLastIndex(({ tldEnd }) => tldEnd >= 0);
    const end = labels[index + last]?.tldEnd ?? -1;
    if (last >= 0) {
      found.push({ start, end });
      floor = end;
    }
    index = last >= 0 ? index + last + 1 : next;
  }
  return found;
}

/** Returns the index after the entirely Latin labels that follow the one at `index`. */
function latinChainEnd(text: string, labels: readonly Label[], index: number): number {
  let next = index + 1;
  for (; next < labels.length; next++) {
    const label = labels[next];
    if (label === undefined || latinTailStart(text, label, label.start) !== label.start) break;
  }
  return next;
}

/** Returns the start of the Latin letters before a label's dot; -1 if none. */
function latinTailStart(text: string, label: Label | undefined, floor: number): number {
  if (label === undefined) return -1;
  const first = Math.max(label.start, floor);
  let start = label.dot;
  while (start > first && isLatinUnit(text.charCodeAt(start - 1))) start--;
  return start < label.dot ? start : -1;
}

function readLabels(text: string, start: number, end: number): Label[] {
  const labels: Label[] = [];
  let labelStart = start;
  for (let dot = text.indexOf('.', start); dot >= 0 && dot < end; dot = text.indexOf('.', dot + 1)) {
    const underscore = text.slice(labelStart, dot).lastIndexOf('_');
    labels.push({
      start: labelStart,
      dot,
      tldEnd: topLevelDomainEnd(text, dot + 1),
      underscore: underscore < 0 ? -1 : labelStart + underscore,
    });
    labelStart = dot + 1;
  }
  return labels;
}

function isRunUnit(unit: number): boolean {
  return unit === DOT || unit === HYPHEN || unit === UNDERSCORE || isDomainUnit(unit);
}
