import type { CodeUnitSet } from './characters.js';
import { codeUnitSet, DIRECTIONAL_MARKS, INVALID, LATIN_ACCENTS, PUNCTUATION, SPACES } from './characters.js';
import { topLevelDomainEnd } from './tlds.js';

/** A stretch of UTF-16 code units; `end` is exclusive. */
export interface UnitSpan {
  readonly start: number;
  readonly end: number;
}

/** A label of a possible domain: the units before one dot. */
interface Label {
  readonly start: number;
  readonly dot: number;
  /** Where a domain ends whose last label but the top-level domain is this one; -1 when no such domain follows. */
  readonly tldEnd: number;
  /** Of its last underscore; -1 when it has none. */
  readonly underscore: number;
}

/** A stretch of text without white space and punctuation, but for dots, in which domains may lie. */
export interface DomainRun extends UnitSpan {
  readonly labels: readonly Label[];
  /** For each label, where the longest domain ends that begins with the whole of it; -1 for none. */
  readonly domainEnds: readonly number[];
}

const HYPHEN = 0x2d;
const DOT = 0x2e;
const UNDERSCORE = 0x5f;

const endsDomains = codeUnitSet(`${PUNCTUATION}${SPACES}${INVALID}${DIRECTIONAL_MARKS}＠＃`);
const isLatinUnit = codeUnitSet(`-0-9A-Za-z${LATIN_ACCENTS}`);

/** Whether a domain's label may begin and end with this unit. */
const isDomainUnit: CodeUnitSet = (unit) => !endsDomains(unit);

/** The run around the dot at `dot`, not reaching back before `from`; undefined when no domain can lie around it. */
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
 * Where the longest domain ends that begins at `start`, within the label with this index; -1 for none. Labels begin
 * and end with a domain unit and may hold hyphens; only labels of subdomains may hold underscores.
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
 * The domains in Latin letters within `span` of a run. Without a scheme only these are links, so that a link may stand
 * in the middle of a sentence in a script that is written without spaces.
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

/** The index after the labels that follow the one at `index` and are wholly in Latin letters. */
function latinChainEnd(text: string, labels: readonly Label[], index: number): number {
  let next = index + 1;
  for (; next < labels.length; next++) {
    const label = labels[next];
    if (label === undefined || latinTailStart(text, label, label.start) !== label.start) break;
  }
  return next;
}

/** Where the Latin letters before a label's dot begin; -1 when there are none. */
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
