/** The position of a syntax error in JSON, and what was expected there. */
class JsonFault extends Error {
  constructor(
    readonly offset: number,
    readonly expected: string,
  ) {
    super(expected);
  }
}

const SPACE = /[ \t\n\r]*/;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/;
const WORD = /true|false|null/;

/** The maximum depth that is checked; handwritten files are not nested deeper. */
const MAX_DEPTH = 1_000;

/** Returns line, column and cause of a JSON syntax error (RFC 8259); V8's messages lack them in some cases. */
export function describeJsonFault(text: string): string {
  try {
    const end = skipSpace(text, skipValue(text, 0, 0));
    if (end === text.length) return 'it is too deeply nested';
    throw new JsonFault(end, 'the end of the file');
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const before = text.slice(0, error.offset).split('\n');
    const found = error.offset >= text.length ? 'the file ends' : `there is ${quoteAt(text, error.offset)}`;
    const column = [...(before.at(-1) ?? '')].length + 1;
    return `line ${before.length}, column ${column}: expected ${error.expected}, but ${found}`;
  }
}

function quoteAt(text: string, offset: number): string {
  return JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0));
}

/** Returns the end of the value. Throws JsonFault if there is no value. */
function skipValue(text: string, from: number, depth: number): number {
  const start = skipSpace(text, from);
  if (depth > MAX_DEPTH) throw new JsonFault(start, `at most ${MAX_DEPTH} levels`);
  if (text[start] === '{') return skipMembers(text, start + 1, '}', depth, skipMember);
  if (text[start] === '[') return skipMembers(text, start + 1, ']', depth, skipValue);
  if (text[start] === '"') return skipString(text, start);
  return match(NUMBER, text, start) ?? match(WORD, text, start) ?? fail(start, 'a value');
}

type Skip = (text: string, from: number, depth: number) => number;

function skipMembers(text: string, from: number, close: string, depth: number, skip: Skip): number {
  let at = skipSpace(text, from);
  if (text[at] === close) return at + 1;
  for (;;) {
    at = skipSpace(text, skip(text, at, depth + 1));
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') return fail(at, `, or ${close}`);
    at = skipSpace(text, at + 1);
  }
}

function skipMember(text: string, from: number, depth: number): number {
  if (text[from] !== '"') return fail(from, 'a key in double quotes');
  const colon = skipSpace(text, skipString(text, from));
  if (text[colon] !== ':') return fail(colon, ':');
  return skipValue(text, colon + 1, depth);
}

function skipString(text: string, from: number): number {
  return match(STRING, text, from) ?? fail(from, 'a string that is closed, with \\n for a new line');
}

function skipSpace(text: string, from: number): number {
  return match(SPACE, text, from) ?? from;
}

/** Returns the end of a match that begins at `from`. */
function match(pattern: RegExp, text: string, from: number): number | undefined {
  const sticky = new RegExp(pattern.source, 'y');
  sticky.lastIndex = from;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}

function fail(offset: number, expected: string): never {
  throw new JsonFault(offset, expected);
}
