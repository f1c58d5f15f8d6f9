import { nearest } from '../core/nearest.js';

/** What was wrong in a refused request, and what would have been accepted in its place. */
export interface Nearest {
  readonly kind:
    | 'operation'
    | 'method'
    | 'parameter'
    | 'value'
    | 'field'
    | 'scope'
    | 'permission'
    | 'credentials';
  /** What was sent; absent if something was missing. */
  readonly sent?: string;
  readonly accepted: readonly string[];
}

/** Returns the candidate nearest to what was sent, if one is near. */
export function found(kind: Nearest['kind'], sent: string, candidates: Iterable<string>): readonly Nearest[] {
  const accepted = nearest(sent, candidates);
  return accepted === undefined ? [] : [{ kind, sent, accepted: [accepted] }];
}
