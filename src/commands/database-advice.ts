/** What the drivers of databases and the system tell beside a message. */
interface CodedError extends Error {
  readonly code: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

const CORRECT_URL = 'correct the URL of the database';

/** By the system's codes: why a server cannot be reached, and what to do. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: `nothing listens there: start it, or ${CORRECT_URL}`,
  ENOTFOUND: `there is no such host: ${CORRECT_URL}`,
  EAI_AGAIN: 'the name of the host cannot be looked up now: try again later',
  EHOSTUNREACH: `no way leads there: ${CORRECT_URL}`,
  ENETUNREACH: `no way leads there: ${CORRECT_URL}`,
  ETIMEDOUT: `it does not answer: start it, or ${CORRECT_URL}`,
};

/** By PostgreSQL's codes (manual, appendix A) and SQLite's (sqlite.org/rescode.html): what to do. */
const ADVICE: Readonly<Record<string, string>> = {
  '28000': CORRECT_URL,
  '28P01': CORRECT_URL,
  '3D000': `CREATE DATABASE ... ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0, or ${CORRECT_URL}`,
  '42501': 'make this user the owner of the database, or give it the right',
  '53300': 'raise max_connections of the server, or run fewer processes',
  '57P03': 'try again in a moment',
  SQLITE_CANTOPEN: 'this user may not read the file, or not write to its folder',
  SQLITE_FULL: 'make room',
  SQLITE_NOTADB: `${CORRECT_URL}, or restore a backup`,
  SQLITE_READONLY: 'this user may not write to the file, or not to its folder',
};

/** What is wrong with a database and what to do, for errors whose cause has a code that tells; undefined for others. */
export function adviseOnDatabase({ cause }: Error): string | undefined {
  if (!isCoded(cause)) return undefined;
  const whyNot = UNREACHABLE[cause.code];
  if (whyNot !== undefined) return `cannot reach the database server${placeOf(cause)}: ${whyNot}`;
  const advice = ADVICE[primaryCode(cause.code)];
  return advice === undefined ? undefined : `${cause.message}: ${advice}`;
}

function isCoded(cause: unknown): cause is CodedError {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string';
}

/** A name that stands for several addresses has none of its own. */
function placeOf({ address, hostname, port }: CodedError): string {
  const host = address ?? hostname;
  if (host === undefined) return '';
  return port === undefined ? ` at ${host}` : ` at ${host}:${port}`;
}

/** SQLite's extended codes begin with the primary ones. */
function primaryCode(code: string): string {
  return /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;
}
