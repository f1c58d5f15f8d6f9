/** Control characters, line and paragraph separators, and what turns the direction of what follows. */
const NOT_PLAIN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** True for a text that can be shown on a line of its own, or in a sentence, without changing what stands around it. */
export function isPlainLine(text: string): boolean {
  return !NOT_PLAIN.test(text);
}
