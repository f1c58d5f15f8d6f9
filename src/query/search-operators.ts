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
    [
      'sample',
      standalone(['a share of all posts in percent; always the same posts', 'heron sample:10'], percent, {
        advanced: true,
      }),
    ],
    ['min_likes', standalone(['at least so many likes', 'min_likes:10'], minimum('likes'))],
    ['min_replies', standalone(['at least so many replies', 'min_replies:3'], minimum('replies'))],
    ['min_reposts', standalone(['at least so many reposts', 'min_reposts:5'], minimum('reposts'))],
  ]),
  fold: foldText,
  unknownOperator: (name, position) =>
    faultAt(position, `Reference to invalid operator '${name}'. ${NOT_AVAILABLE}`),
  // X omits the second sentence and the position here.
  unknownValue: (named) => `Reference to invalid operator '${named}'`,
};
