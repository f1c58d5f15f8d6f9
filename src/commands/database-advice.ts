/** An error of a database driver or the system, with its code. */
interface CodedError extends Error {
  readonly code: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

const CORRECT_URL = 'correct the URL of the database';

/** By system error code: why a server cannot be reached, and the remedy. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: `connection refused: start the server, or ${CORRECT_URL}`,
  ENOTFOUND: `there is no such host: ${CORRECT_URL}`,
  EAI_AGAIN: 'the host name cannot be resolved now: try again later',
  EHOSTUNREACH: `no route to the host: ${CORRECT_URL}`,
  ENETUNREACH: `no route to the host: ${CORRECT_URL}`,
  ETIMEDOUT: `it does not respond: start the server, or ${CORRECT_URL}`,
};

/** By PostgreSQL's codes (manual, appendix A) and SQLite's (sqlite.org/rescode.html): the remedy. */
const ADVICE: Readonly<Record<string, string>> = {
  '28000': CORRECT_URL,
  '28P01': CORRECT_URL,
  '3D000': `CREATE DATABASE ... ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0, or ${CORRECT_URL}`,
  '42501': 'make this user the owner of the database, or grant it the privilege',
  '53300': 'raise max_connections of the server, or run fewer processes',
  '57P03': 'try again in a moment',
  SQLITE_CANTOPEN: 'this user cannot read the file or cannot write to its folder',
  SQLITE_FULL: 'free some disk space',
  SQLITE_NOTADB: `${CORRECT_URL}, or restore a backup`,
  SQLITE_READONLY: 'this user cannot write to the file or to its folder',
};

/** Returns the problem and the remedy, for errors with a known code; undefined for others. */
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

/** Returns the address of an error. An error for a name with several addresses has none. */
function placeOf({ address, hostname, port }: CodedError): string {
  const host = address ?? hostname;
  if (host === undefined) return '';
  return port === undefined ? ` at ${host}` : ` at ${host}:${port}`;
}

/** Returns the primary code: SQLite's extended codes start with it. */
function primaryCode(code: string): string {
  return /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;
}
