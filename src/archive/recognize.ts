/** A file of a known kind that is no twarc2 JSONL. The message is one line: what it is, and what to do. */
export class ForeignFile extends Error {
  override readonly name = 'ForeignFile';

  constructor(
    readonly file: string,
    what: string,
  ) {
    super(`${file} ${what}`);
  }
}

/** How much of a file's unpacked beginning `recognize` wants to see. */
export const RECOGNIZED_BYTES = 64 * 1024;

const pipedFrom =
  (format: string, command: string) =>
  (word: string): string =>
    `is compressed with ${format}: ${command}${word} | pipit import twarc -`;

const ONLY_TWARC = 'Pipit imports what twarc2 saves';

/** What the export of an account is called; follows an article-less verb, as `is`. */
export const X_ARCHIVE =
  `the archive that X makes of an account: ${ONLY_TWARC} (JSON of version 2, a page or a post on each line), ` +
  'not that';

const OLD_POSTS = `holds posts of version 1.1: ${ONLY_TWARC}, posts of version 2. Fetch them again by id: twarc2 hydrate`;

interface Signature {
  readonly bytes: readonly number[];
  readonly at?: number;
  /** `word` names the file on a command line, after a space. */
  readonly tell: (word: string, text: string) => string;
}

/** Formats that begin with bytes of their own. */
const SIGNATURES: readonly Signature[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], tell: (_word, text) => describeZip(text) },
  { bytes: [0x50, 0x4b, 0x05, 0x06], tell: () => 'is an empty ZIP archive' },
  { bytes: [0x42, 0x5a, 0x68], tell: pipedFrom('bzip2', 'bzip2 -dc') },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], tell: pipedFrom('xz', 'xz -dc') },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], tell: pipedFrom('zstd', 'zstd -dc') },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf], tell: () => 'is a 7z archive: unpack it and import the files in it' },
  {
    bytes: [0x75, 0x73, 0x74, 0x61, 0x72],
    at: 257,
    tell: () => 'is a tar archive: unpack it and import the files in it',
  },
  {
    bytes: [0xff, 0xfe],
    tell: (word) => `is UTF-16 text: iconv -f UTF-16 -t UTF-8${word} | pipit import twarc -`,
  },
  { bytes: [...Buffer.from('SQLite format 3')], tell: () => `is a SQLite database: ${ONLY_TWARC}` },
];

function describeZip(text: string): string {
  return /data\/[\w-]+\.js|Your archive\.html|assets\//.test(text)
    ? `is ${X_ARCHIVE}`
    : 'is a ZIP archive: unpack it and import the files in it';
}

/** Kinds of text, told by its beginning. */
const TEXTS: readonly (readonly [RegExp, (word: string) => string])[] = [
  [/^window\.(YTD|__THAR_CONFIG)\b/, () => `is a part of ${X_ARCHIVE}`],
  [
    /^<(!doctype|html|head|\?xml|!--)/i,
    () =>
      'is a web page, not what twarc2 saved: perhaps an error or a sign-in in place of the file; fetch it again',
  ],
  [
    /^\d{1,19}\r?\n\d{1,19}\s/,
    (word) => `is a list of ids: twarc2 hydrate${word} hydrated.jsonl makes of it what Pipit imports`,
  ],
  [
    /^"?[A-Za-z_][\w. ]*"?([,;\t]"?[A-Za-z_][\w. ]*"?)+\r?\n/,
    () => `is a table (CSV), which lacks what posts need: import the JSONL from which it was made`,
  ],
  [
    /^\[\s*\{/,
    (word) => `is one JSON array, not an object on each line: jq -c '.[]'${word} | pipit import twarc -`,
  ],
];

/** A member that posts of version 2 never have. */
const OLD_POST = /^(?:\[\s*)?\{[^]*?"(?:id_str|full_text|screen_name)"\s*:/;
const NEW_MEMBER = /^\{\s*"(?:data|includes|meta|__twarc)"\s*:/;

/**
 * Throws ForeignFile for a file that is certainly no twarc2 JSONL, known by its first `RECOGNIZED_BYTES` unpacked bytes.
 * What it does not know may still be none. `word` is how a shell names the file; absent: it is standard input.
 */
export function recognize(file: string, word: string | undefined, start: Uint8Array): void {
  const argument = word === undefined ? '' : ` ${word}`;
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  for (const { bytes: mark, at = 0, tell } of SIGNATURES) {
    if (mark.every((byte, index) => bytes[at + index] === byte))
      throw new ForeignFile(file, tell(argument, bytes.toString('latin1')));
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
