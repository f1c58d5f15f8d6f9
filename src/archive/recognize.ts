import { NamedError } from '../core/named-error.js';

/**
 * Thrown for a file of a known kind that is not twarc2 JSONL. The message is one line with the kind and the remedy.
 */
export class ForeignFile extends NamedError {
  constructor(
    readonly file: string,
    what: string,
  ) {
    super(`${file} ${what}`);
  }
}

/** The number of unpacked bytes that `recognize` inspects. */
export const RECOGNIZED_BYTES = 64 * 1024;

const pipedFrom =
  (format: string, command: string) =>
  (word: string): string =>
    `is compressed with ${format}: ${command}${word} | pipit import twarc -`;

const ONLY_TWARC = 'Pipit imports files saved by twarc2';

/** Describes X's account archive; follows `is`. */
export const X_ARCHIVE = `an account archive from X: ${ONLY_TWARC} (API v2 JSON, one page or post per line)`;

const OLD_POSTS = `contains posts of version 1.1: ${ONLY_TWARC}, with posts of version 2. Fetch them again by id: twarc2 hydrate`;

interface Signature {
  readonly bytes: readonly number[];
  readonly at?: number;
  /** Returns the message. `word` is the file as a command-line argument, with a leading space. */
  readonly describe: (word: string, text: string) => string;
}

/** Formats with a binary signature. */
const SIGNATURES: readonly Signature[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], describe: (_word, text) => describeZip(text) },
  { bytes: [0x50, 0x4b, 0x05, 0x06], describe: () => 'is an empty ZIP archive' },
  { bytes: [0x42, 0x5a, 0x68], describe: pipedFrom('bzip2', 'bzip2 -dc') },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], describe: pipedFrom('xz', 'xz -dc') },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], describe: pipedFrom('zstd', 'zstd -dc') },
  {
    bytes: [0x37, 0x7a, 0xbc, 0xaf],
    describe: () => 'is a 7z archive: unpack it and import the files in it',
  },
  {
    bytes: [0x75, 0x73, 0x74, 0x61, 0x72],
    at: 257,
    describe: () => 'is a tar archive: unpack it and import the files in it',
  },
  {
    bytes: [0xff, 0xfe],
    describe: (word) => `is UTF-16 text: iconv -f UTF-16 -t UTF-8${word} | pipit import twarc -`,
  },
  { bytes: [...Buffer.from('SQLite format 3')], describe: () => `is a SQLite database: ${ONLY_TWARC}` },
];

function describeZip(text: string): string {
  return /data\/[\w-]+\.js|Your archive\.html|assets\//.test(text)
    ? `is ${X_ARCHIVE}`
    : 'is a ZIP archive: unpack it and import the files in it';
}

/** Text formats, recognized by their start. */
const TEXTS: readonly (readonly [RegExp, (word: string) => string])[] = [
  [/^window\.(YTD|__THAR_CONFIG)\b/, () => `is a part of ${X_ARCHIVE}`],
  [
    /^<(!doctype|html|head|\?xml|!--)/i,
    () => 'is a web page, not a file saved by twarc2: perhaps an error or sign-in page; fetch the file again',
  ],
  [
    /^\d{1,19}\r?\n\d{1,19}\s/,
    (word) => `is a list of ids: twarc2 hydrate${word} hydrated.jsonl creates a file that Pipit can import`,
  ],
  [
    /^"?[A-Za-z_][\w. ]*"?([,;\t]"?[A-Za-z_][\w. ]*"?)+\r?\n/,
    () => `is a table (CSV), which lacks required fields: import the JSONL file it was made from`,
  ],
  [
    /^\[\s*\{/,
    (word) => `is one JSON array instead of one object per line: jq -c '.[]'${word} | pipit import twarc -`,
  ],
];

/** Members that posts of version 2 never have. */
const OLD_POST = /^(?:\[\s*)?\{[^]*?"(?:id_str|full_text|screen_name)"\s*:/;
const NEW_MEMBER = /^\{\s*"(?:data|includes|meta|__twarc)"\s*:/;

/**
 * Throws ForeignFile for a file that is certainly not twarc2 JSONL, by its first `RECOGNIZED_BYTES` unpacked bytes.
 * `word` is the file's name in shell syntax; absent for standard input.
 */
export function recognize(file: string, word: string | undefined, start: Uint8Array): void {
  const argument = word === undefined ? '' : ` ${word}`;
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  for (const { bytes: mark, at = 0, describe } of SIGNATURES) {
    if (mark.every((byte, index) => bytes[at + index] === byte))
      throw new ForeignFile(file, describe(argument, bytes.toString('latin1')));
  }
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  const firstLine = text.slice(0, text.indexOf('\n') + 1 || undefined);
  if (text.startsWith('[') ? OLD_POST.test(text) : !NEW_MEMBER.test(firstLine) && OLD_POST.test(firstLine))
    throw new ForeignFile(file, OLD_POSTS);
  const found = TEXTS.find(([pattern]) => pattern.test(text));
  if (found) throw new ForeignFile(file, found[1](argument));
}
