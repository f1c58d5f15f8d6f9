import { explainedOperators } from './explained-operators.js';
import type { Operator } from './operator-set.js';
import { LANGUAGE_CODES } from './operator-values.js';
import type { Predicate } from './conditions.js';
import { SEARCH_LANGUAGE } from './search-operators.js';

/** A text that a term of a search may become, and what it finds. */
export interface TermCompletion {
  /** The whole term; it ends with a colon if a value is to follow. */
  readonly text: string;
  readonly meaning: string;
}

/** What completes a term. */
export interface CompletedTerm {
  readonly completions: readonly TermCompletion[];
  /** The beginning of the username that the term ends with, and what stands before it. */
  readonly user?: { readonly before: string; readonly beginning: string };
}

const MAX_COMPLETIONS = 10;

const TERM = /^(-?)([a-z_]+)(?:(:)([^\s"()[\]]*))?$/iu;

const OPERATORS = explainedOperators(SEARCH_LANGUAGE.operators, 'all');

/** Completes a term of a search of the whole archive, such as `fr`, `-has:` or `lang:ger`, from the list of operators. */
export function completeTerm(typed: string): CompletedTerm {
  const [, sign = '', name = '', colon, value = ''] = TERM.exec(typed) ?? [];
  const word = name.toLowerCase();
  if (colon === undefined) return { completions: word === '' ? [] : operatorsFor(sign, word) };
  const operator = SEARCH_LANGUAGE.operators.get(word);
  const before = `${sign}${word}:`;
  if (operator?.completes === 'user') return { completions: [], user: { before, beginning: value } };
  const start = value.toLowerCase();
  const values = operator ? valuesOf(operator, sign === '-') : [];
  return {
    completions: values
      .filter(([each, meaning]) => isBeginning(start, each) || isBeginning(start, meaning))
      .map(([each, meaning]) => ({ text: `${before}${each}`, meaning }))
      .slice(0, MAX_COMPLETIONS),
  };
}

function operatorsFor(sign: string, word: string): TermCompletion[] {
  return OPERATORS.flatMap(({ names, operator: { meaning } }) => {
    const name = names.find((each) => isBeginning(word, each));
    return name === undefined ? [] : [{ text: `${sign}${name}:`, meaning }];
  }).slice(0, MAX_COMPLETIONS);
}

/** Returns the values that an operator may have, with what each finds. */
function valuesOf(operator: Operator<Predicate>, isNegated: boolean): (readonly [string, string])[] {
  if (operator.completes === 'language') return LANGUAGES;
  return [...(operator.values ?? [])]
    .filter(([, { only }]) => only === undefined || (only === 'negated') === isNegated)
    .map(([value, { meaning }]) => [value, meaning]);
}

const nameOfLanguage = new Intl.DisplayNames(['en'], { type: 'language' });

const LANGUAGES = LANGUAGE_CODES.map((code) => [code, nameOfLanguage.of(code) ?? code] as const);

function isBeginning(start: string, text: string): boolean {
  return text.toLowerCase().startsWith(start);
}
