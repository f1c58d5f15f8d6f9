import { eachLeaf } from '../ast.js';
import type { Fault } from '../fault.js';
import { faultAt } from '../fault.js';
import type { Rule } from './rule.js';

const JOINING: ReadonlyMap<string, string> = new Map([
  ['and', 'Use a space'],
  ['or', 'Use OR'],
]);

/** Requires quotes around `and` and `or` in any case except `OR` (docs/api/search.md#grammar). */
export const ambiguousKeywordRule: Rule = ({ syntax }) => {
  const faults: Fault[] = [];
  eachLeaf(syntax, (atom) => {
    if (atom.kind !== 'keyword') return;
    const word = atom.text.toLowerCase();
    const joining = JOINING.get(word);
    if (joining === undefined) return;
    faults.push(
      faultAt(
        atom.at,
        `Ambiguous use of ${word} as a keyword. ${joining} to logically join two clauses, or "${word}" to find occurrences of ${word} in text`,
      ),
    );
  });
  return faults;
};
