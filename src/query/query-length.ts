import { countCodePoints } from '../core/unicode.js';
import type { Fault } from './fault.js';
import type { QueryAccess } from './operator-set.js';

/**
 * Returns the maximum query length in code points (docs/api/search.md#window, docs/api/search.md#counts,
 * docs/api/authentication.md#levels-and-tracks).
 */
export function maxQueryLength({ product, track }: Pick<QueryAccess, 'product' | 'track'>): number {
  return product === 'all' || track === 'academic_research' ? 1024 : 512;
}

/** Returns the fault of a query that is too long, or undefined. */
export function lengthFault(query: string, maximum: number): Fault | undefined {
  const length = countCodePoints(query);
  if (length <= maximum) return undefined;
  return `Rule length exceeds limit: ${String(length)} characters, maximum ${String(maximum)}`;
}
