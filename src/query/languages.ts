/** docs/api/search.md#matching, and `und`. */
const CODES =
  'am ar hy eu bn bs bg my hr ca cs da nl en et fi fr de el gu ht iw hi hi-Latn hu is in it ja kn km ko lo lv lt ml dv mr ' +
  'ne no or pa ps fa pl pt ro ru sr zh-CN sd si sk sl ckb es sv tl ta te th bo zh-TW tr uk ur ug vi cy ka und';

/** Codes that imported posts carry beside these: Chinese of unknown script, and texts of nothing but entities. */
const IMPORTED_CODES = 'zh art qam qct qht qme qst zxx';

const ALIASES = [
  ['id', 'in'],
  ['he', 'iw'],
] as const;

const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ...`${CODES} ${IMPORTED_CODES}`.split(' ').map((code) => [code.toLowerCase(), code] as const),
  ...ALIASES,
]);

/** The wire's code of a language in any case, also for the codes that `in` and `iw` later got; undefined if unknown. */
export function languageCode(value: string): string | undefined {
  return LANGUAGES.get(value.toLowerCase());
}
