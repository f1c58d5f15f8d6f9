/** Emoji that are several characters: those that join or colour them are invisible anywhere else. */
const EMOJI = new RegExp('\\p{RGI_Emoji}', 'gv');

/** Scripts in which a joiner or non-joiner between letters changes how these are written. */
const JOINING =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nkoo}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}' +
  '\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}';
const STYLE = /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]/gu;
const JOINER = new RegExp(`(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`, 'gu');

/**
 * Control characters, line and paragraph separators, what turns the direction of what follows, and whatever takes no
 * room or shows nothing: Unicode's default ignorable characters with its fillers and tags, and the blank Braille pattern.
 */
const NOT_PLAIN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;

/** What belongs on the character before it: at the beginning there is none, and many reach over the lines around. */
const STRAY_MARKS = /^\p{M}|[\p{Z}\p{Cc}]\p{M}|\p{M}{7}/u;

const NOT_PLAIN_OR_STRAY = new RegExp(`${NOT_PLAIN.source}|${STRAY_MARKS.source}`, 'gu');

/**
 * True for a text that can be shown on a line of its own, or in a sentence, without changing what stands around it, and
 * that looks like what it is: nothing in it is invisible.
 */
export function isPlainLine(text: string): boolean {
  const plain = withoutSequences(text);
  return !NOT_PLAIN.test(plain) && !STRAY_MARKS.test(plain);
}

/** True for a text in which there is something to see. */
export function isVisible(text: string): boolean {
  return /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u.test(text);
}

/** True for a name that people can read and tell apart from the words around it. */
export function isPlainName(text: string): boolean {
  return isVisible(text) && isPlainLine(text);
}

/**
 * Returns a stored text as it can be shown where people decide something: as it is when it is a plain line, else without
 * what is not; `otherwise` when nothing is left to see. Stored texts can be older than the rule, or come from archives.
 */
export function plainLine(text: string, otherwise = ''): string {
  const line = isPlainLine(text) ? text : text.replaceAll(NOT_PLAIN_OR_STRAY, ' ').replaceAll(/ {2,}/g, ' ');
  return isVisible(line) ? line.trim() : otherwise;
}

/** The text with a letter for each sequence whose invisible characters are right where they are. */
function withoutSequences(text: string): string {
  return text.replaceAll(EMOJI, 'x').replaceAll(STYLE, '').replaceAll(JOINER, '');
}

/** Returns the lines of a text side by side. */
export function inOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
