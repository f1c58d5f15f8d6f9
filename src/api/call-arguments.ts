import { isUnicodeText } from '../core/unicode.js';
import { isLongInteger, longIntegerDigits } from '../http/json.js';
import type { PathValues } from '../http/shell.js';
import type { AnyEndpoint } from './endpoint.js';

/** The arguments of a call by name, as `readJson` returns them. */
export type CallArguments = Readonly<Record<string, unknown>>;

/** The parts of the request that a call stands for. */
export interface RequestParts {
  readonly path: PathValues;
  /** Without the question mark. */
  readonly rawQuery: string;
  /** The members of the JSON body, for endpoints that take one. */
  readonly json: Record<string, unknown>;
}

/**
 * Sorts arguments into path, query and body (docs/api/mcp.md#arguments). Checks nothing: the endpoint refuses unknown
 * names and wrong values.
 */
export function readArguments({ params = {}, body }: AnyEndpoint, sent: CallArguments): RequestParts {
  const path: [string, string][] = [];
  const query: string[] = [];
  const members: [string, unknown][] = [];
  for (const [name, value] of Object.entries(sent)) {
    const place = Object.hasOwn(params, name) ? params[name]?.in : undefined;
    if (place === 'path') path.push([name, textOf(value)]);
    else if (place === undefined && body?.kind === 'json') members.push([name, value]);
    else query.push(`${encodeText(name)}=${encodeText(textOf(value))}`);
  }
  return { path: Object.fromEntries(path), rawQuery: query.join('&'), json: Object.fromEntries(members) };
}

/** Returns the request target that a call stands for, for the log. */
export function targetOf({ path }: AnyEndpoint, { path: values, rawQuery }: RequestParts): string {
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => encodeText(values[name] ?? ''));
  return rawQuery === '' ? filled : `${filled}?${rawQuery}`;
}

/** Returns the text that a parameter has in a URL. Lists are joined; other values are their JSON. */
export function textOf(value: unknown): string {
  if (isLongInteger(value)) return longIntegerDigits(value);
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(textOf).join(',') : JSON.stringify(value);
}

/** The bytes of half a surrogate pair, which no reader of UTF-8 accepts. */
const NO_TEXT = '%ED%A0%80';

function encodeText(text: string): string {
  return isUnicodeText(text) ? encodeURIComponent(text) : NO_TEXT;
}
