import type { Atom, Expression, Syntax } from './ast.js';
import { type Fault, faultAt } from './fault.js';
import { lex, type Lexeme } from './lexer.js';

/** The syntax of a query, or its syntax faults. */
export type Parsed =
  | { readonly ok: true; readonly syntax: Syntax }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** The maximum depth of groups, which bounds recursion; no balanced query of 1,024 characters has more. */
const MAX_DEPTH = 512;

/**
 * Parses a query (docs/api/search.md#grammar). Reports all invalid characters at once, but only the first syntax
 * fault. `hasDistances` admits
 * `"a b"~2` (docs/api/streams.md#rules). Takes linear time and never throws.
 */
export function parse(query: string, { hasDistances = false } = {}): Parsed {
  const { lexemes, faults } = lex(query, hasDistances);
  if (faults.length > 0) return { ok: false, faults };
  try {
    return { ok: true, syntax: new Parser(lexemes).query() };
  } catch (error) {
    if (error instanceof SyntaxFault) return { ok: false, faults: [error.message] };
    throw error;
  }
}

/** Stops parsing at the first syntax fault; never leaves this file. */
class SyntaxFault extends Error {}

class Parser {
  #index = 0;
  #depth = 0;

  constructor(readonly lexemes: readonly Lexeme[]) {}

  /** query = or END */
  query(): Syntax {
    const expression = this.#or();
    if (this.#peek().kind === 'end') return expression;
    if (this.#peek().kind === ')') throw unbalanced(this.#peek());
    throw noViableAlternative(this.#peek());
  }

  /** or = and { "OR" and } */
  #or(): Syntax {
    const operands = [this.#and()];
    while (this.#peek().kind === 'or') {
      this.#index++;
      operands.push(this.#and());
    }
    return joined('or', operands);
  }

  /** and = term { term } */
  #and(): Syntax {
    const operands = [this.#term()];
    while (!['or', ')', 'end'].includes(this.#peek().kind)) operands.push(this.#term());
    return joined('and', operands);
  }

  /** term = [ "-" ] ( "(" or ")" | atom ) */
  #term(): Syntax {
    const sign = this.#peek();
    if (sign.kind !== '-') return this.#operand();
    this.#index++;
    const operand = this.#peek();
    if (operand.at !== sign.at + 1) throw noViableAlternative(sign);
    return { kind: 'not', at: sign.at, operand: this.#operand() };
  }

  #operand(): Syntax {
    const lexeme = this.#peek();
    if (lexeme.kind !== '(') return this.#atom(lexeme);
    if (++this.#depth > MAX_DEPTH) throw noViableAlternative(lexeme);
    this.#index++;
    const expression = this.#or();
    if (this.#peek().kind !== ')') throw this.#unclosed();
    this.#index++;
    this.#depth--;
    return expression;
  }

  #atom(lexeme: Lexeme): Atom {
    this.#index++;
    const { at } = lexeme;
    switch (lexeme.kind) {
      case 'keyword':
      case 'phrase':
        return { kind: lexeme.kind, at, text: lexeme.text };
      case 'near':
        return { kind: 'near', at, text: lexeme.text, distance: lexeme.distance };
      case 'hashtag':
      case 'cashtag':
      case 'mention':
        return { kind: lexeme.kind, at, name: lexeme.name };
      case 'operator':
        return { kind: 'operator', at, name: lexeme.name, value: lexeme.value };
      case '(':
      case ')':
      case '-':
      case '[':
      case ']':
      case ':':
      case 'or':
      case 'end':
        throw noViableAlternative(lexeme);
    }
  }

  /**
   * Returns the fault of an unclosed group. X reports its position as the first `)` of the query or, without one, its
   * end.
   */
  #unclosed(): SyntaxFault {
    return unbalanced(this.lexemes.find(({ kind }) => kind === ')') ?? this.#peek());
  }

  #peek(): Lexeme {
    return this.lexemes[this.#index] ?? { kind: 'end', at: 1, source: '<EOF>' };
  }
}

/** Joins operands flat: `a OR (b OR c)` is `a OR b OR c`. */
function joined(kind: 'and' | 'or', operands: readonly Syntax[]): Syntax {
  const [first] = operands;
  if (first !== undefined && operands.length === 1) return first;
  const flat = operands.flatMap((operand): readonly Expression<Atom>[] =>
    operand.kind === kind ? operand.operands : [operand],
  );
  return { kind, at: first?.at ?? 1, operands: flat };
}

function noViableAlternative({ at, source }: Lexeme): SyntaxFault {
  return new SyntaxFault(faultAt(at, `no viable alternative at input '${source}'`));
}

/** Returns the fault of an unbalanced parenthesis, whose position X counts from 0. */
function unbalanced({ at }: Lexeme): SyntaxFault {
  return new SyntaxFault(faultAt(at - 1, `missing EOF at ')'`));
}
