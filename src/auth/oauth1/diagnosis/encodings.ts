import { encodePercent } from '../percent.js';

/** A wrong way to escape parameters that clients use. */
export interface WrongEncoding {
  readonly mistake: string;
  readonly encode: (text: string) => string;
}

/** Percent-encodes with escapes such as `%2c`; RFC 5849 demands `%2C`. */
export function encodeInLowerCase(text: string): string {
  return encodePercent(text).replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
}

const leaving = (pattern: RegExp) => (text: string) =>
  encodePercent(text).replace(pattern, (escape) => decodeURIComponent(escape));

/** The wrong ways, the most frequent first (RFC 5849 3.6 has the right one). */
export const WRONG_ENCODINGS: readonly WrongEncoding[] = [
  { mistake: 'did not escape the parameters', encode: (text) => text },
  { mistake: 'escaped the parameters twice', encode: (text) => encodePercent(encodePercent(text)) },
  {
    mistake: 'escaped spaces as + instead of %20',
    encode: (text) => encodePercent(text).replaceAll('%20', '+'),
  },
  {
    mistake: "left the characters ! ' ( ) * unescaped, as encodeURIComponent does",
    encode: leaving(/%2[1789A]/g),
  },
  { mistake: 'left commas unescaped', encode: leaving(/%2C/g) },
  { mistake: 'left slashes unescaped', encode: leaving(/%2F/g) },
  { mistake: 'left colons and slashes unescaped', encode: leaving(/%(?:2F|3A)/g) },
  { mistake: 'left the characters , / : ; @ unescaped', encode: leaving(/%(?:2C|2F|3A|3B|40)/g) },
  { mistake: 'escaped with lower-case digits, such as %2c', encode: encodeInLowerCase },
  { mistake: 'escaped ~ as %7E', encode: (text) => encodePercent(text).replaceAll('~', '%7E') },
  {
    mistake: 'escaped like a form: + for spaces, * unescaped, %7E for ~',
    encode: (text) => new URLSearchParams([['', text]]).toString().slice(1),
  },
  { mistake: 'escaped the bytes of ISO-8859-1 instead of UTF-8', encode: encodeLatin1 },
];

function encodeLatin1(text: string): string {
  return Array.from(text, encodeLatin1Character).join('');
}

function encodeLatin1Character(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return encodePercent(character);
  return code > 0xff ? '%3F' : `%${code.toString(16).toUpperCase()}`;
}
