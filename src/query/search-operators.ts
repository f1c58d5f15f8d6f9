import { foldText } from '../core/search-text/fold.js';
import { COMMON_OPERATORS, standalone } from './common-operators.js';
import type { Predicate } from './conditions.js';
import { faultAt } from './fault.js';
import type { QueryLanguage } from './language.js';
import type { Operator } from './operator-set.js';
import { minimum, percent } from './operator-values.js';

const NOT_AVAILABLE =
  'Operator is not available in current product or product packaging. ' +
  'Please refer to complete available operator list at http://t.co/operators.';

/** The language of search and counts (docs/api/search.md). */
export const SEARCH_LANGUAGE: QueryLanguage<Predicate> = {
  operators: new Map<string, Operator<Predicate>>([
    ...COMMON_OPERATORS,
    ['sample', standalone(percent, { advanced: true })],
    ['min_likes', standalone(minimum('likes'))],
    ['min_replies', standalone(minimum('replies'))],
    ['min_reposts', standalone(minimum('reposts'))],
  ]),
  fold: foldText,
  unknownOperator: (name, position) =>
    faultAt(position, `Reference to invalid operator '${name}'. ${NOT_AVAILABLE}`),
  // X omits the second sentence and the position here.
  unknownValue: (named) => `Reference to invalid operator '${named}'`,
};
