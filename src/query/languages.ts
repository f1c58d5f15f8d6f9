/** docs/api/search.md#matching, and `und`. */
const CODES =
  'am ar hy eu bn bs bg my hr ca cs da nl en et fi fr de el gu ht iw hi hi-Latn hu is in it ja kn km ko lo lv lt ml dv mr ' +
  'ne no or pa ps fa pl pt ro ru sr zh-CN sd si sk sl ckb es sv tl ta te th bo zh-TW tr uk ur ug vi cy ka und';

/** Further codes in imported posts: Chinese of unknown script, and texts with only entities. */
const IMPORTED_CODES = 'zh art qam qct qht qme qst zxx';

const ALIASES = [
  ['id', 'in'],
  ['he', 'iw'],
] as const;

const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ...`${CODES} ${IMPORTED_CODES}`.split(' ').map((code) => [code.toLowerCase(), code] as const),
  ...ALIASES,
]);

/**
 * Returns the wire code of a language, case-insensitively and also for the newer codes of `in` and `iw`; undefined if
 * unknown.
 */
export function languageCode(value: string): string | undefined {
  return LANGUAGES.get(value.toLowerCase());
}
