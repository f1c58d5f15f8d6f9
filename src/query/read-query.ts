import { countCodePoints } from '../core/unicode.js';
import type { PipitError } from '../core/errors.js';
import { invalidRequest } from '../core/errors.js';
import type { Syntax } from './ast.js';
import { check } from './check.js';
import type { SearchExpression } from './conditions.js';
import type { Fault } from './fault.js';
import { faultMessage } from './fault.js';
import type { OperatorSet, QueryAccess } from './operator-set.js';
import { parse } from './parser.js';
import { resolve } from './resolve.js';
import { SEARCH_OPERATORS } from './search-operators.js';

/** The access and product; other options have defaults. */
export interface ReadOptions extends QueryAccess {
  /** In code points; by default the limit of product and track. */
  readonly maxLength?: number;
  /** By default the operators of search. */
  readonly operators?: OperatorSet;
}

/** A valid query, or the error message for the client. */
export type QueryReading =
  | { readonly ok: true; readonly expression: SearchExpression; readonly syntax: Syntax }
  | { readonly ok: false; readonly message: string };

/** docs/api/errors.md#validation-messages, "required missing". */
const EMPTY = 'The `query` query parameter can not be empty';

/**
 * Parses and checks a query of search or counts (docs/api/search.md). Never throws and takes linear time; overlong
 * queries are not parsed.
 */
export function readQuery(text: string, options: ReadOptions): QueryReading {
  const { operators = SEARCH_OPERATORS, maxLength = maxQueryLength(options) } = options;
  if (text.trim() === '') return { ok: false, message: EMPTY };
  const tooLong = lengthFault(text, maxLength);
  if (tooLong !== undefined) return refused([tooLong]);
  const parsed = parse(text);
  if (!parsed.ok) return refused(parsed.faults);
  const { syntax } = parsed;
  const faults = check({ syntax, operators, access: options });
  if (faults.length > 0) return refused(faults);
  const { expression, faults: valueFaults } = resolve(syntax, operators);
  return valueFaults.length === 0 ? { ok: true, expression, syntax } : refused(valueFaults);
}

/** Returns the 400 for a refused query, with the raw query. */
export function refusedQuery(text: string, message: string): PipitError {
  return invalidRequest('query', [text], message);
}

function refused(faults: readonly Fault[]): QueryReading {
  return { ok: false, message: faultMessage(faults) };
}

/**
 * Returns the maximum query length in code points (docs/api/search.md#window, docs/api/search.md#counts,
 * docs/api/authentication.md#levels-and-tracks).
 */
function maxQueryLength({ product, track }: Pick<QueryAccess, 'product' | 'track'>): number {
  return product === 'all' || track === 'academic_research' ? 1024 : 512;
}

/** Returns the fault of a query that is too long, or undefined. */
function lengthFault(query: string, maximum: number): Fault | undefined {
  const length = countCodePoints(query);
  if (length <= maximum) return undefined;
  return `Rule length exceeds limit: ${String(length)} characters, maximum ${String(maximum)}`;
}
