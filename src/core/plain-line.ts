/** Scripts in which a joiner or non-joiner between letters changes their shape. */
const JOINING =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nkoo}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}' +
  '\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}';

/** Every sequence in which invisible characters are legitimate contains one of these characters. */
const MAY_HAVE_SEQUENCES = /[\u200c\u200d\u231a-\u{10ffff}]/u;

/**
 * Control characters, line and paragraph separators, direction overrides, and everything invisible: Unicode's default
 * ignorable characters with fillers and tags, and the blank Braille pattern.
 */
const NOT_PLAIN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;

/** Combining marks at the start, where they have no base, and stacks that overlap adjacent lines. */
const STRAY_MARKS = /^\p{M}|[\p{Z}\p{Cc}]\p{M}|\p{M}{7}/u;

const NOT_PLAIN_OR_STRAY = new RegExp(`${NOT_PLAIN.source}|${STRAY_MARKS.source}`, 'gu');

/**
 * Reports whether a text can be shown on a line or in a sentence without affecting its surroundings and contains
 * nothing invisible.
 */
export function isPlainLine(text: string): boolean {
  const plain = withoutSequences(text);
  return !NOT_PLAIN.test(plain) && !STRAY_MARKS.test(plain);
}

/** Reports whether a text contains anything visible. */
export function isVisible(text: string): boolean {
  return /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u.test(text);
}

/** Reports whether a name is readable and distinguishable from surrounding text. */
export function isPlainName(text: string): boolean {
  return isVisible(text) && isPlainLine(text);
}

/**
 * Returns a stored text for display where people make decisions: unchanged if it is a plain line, otherwise without
 * the offending characters, or `otherwise` if nothing visible remains. Stored texts may be older than this rule or
 * come from archives.
 */
export function plainLine(text: string, otherwise = ''): string {
  const line = isPlainLine(text) ? text : text.replaceAll(NOT_PLAIN_OR_STRAY, ' ').replaceAll(/ {2,}/g, ' ');
  return isVisible(line) ? line.trim() : otherwise;
}

/** Replaces the sequences in which invisible characters are legitimate. */
function withoutSequences(text: string): string {
  if (!MAY_HAVE_SEQUENCES.test(text)) return text;
  sequences ??= createSequences();
  const { emoji, style, joiner } = sequences;
  return text.replaceAll(emoji, 'x').replaceAll(style, '').replaceAll(joiner, '');
}

let sequences: ReturnType<typeof createSequences> | undefined;

/** Creates the patterns at their first use: they take 35 ms, a tenth of a start. */
function createSequences() {
  return {
    /** Emoji sequences; their joiners and modifiers are invisible elsewhere. */
    emoji: new RegExp('\\p{RGI_Emoji}', 'gv'),
    style: /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]/gu,
    joiner: new RegExp(`(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`, 'gu'),
  };
}

/** Joins the lines of a text with spaces. */
export function inOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
