import type { Atom, OperatorValue, Syntax } from './ast.js';

/**
 * Formats a query canonically: single spaces, no redundant groups, operator names in lower case. Parsing the result
 * gives the same expression except for positions.
 */
export function print(syntax: Syntax): string {
  switch (syntax.kind) {
    case 'or':
      return syntax.operands.map((operand) => print(operand)).join(' OR ');
    case 'and':
      return syntax.operands.map((operand) => grouped(operand, operand.kind === 'or')).join(' ');
    case 'not':
      return `-${grouped(syntax.operand, ['and', 'or', 'not'].includes(syntax.operand.kind))}`;
    case 'keyword':
    case 'phrase':
    case 'hashtag':
    case 'cashtag':
    case 'mention':
    case 'operator':
      return printAtom(syntax);
  }
}

function grouped(syntax: Syntax, inGroup: boolean): string {
  return inGroup ? `(${print(syntax)})` : print(syntax);
}

function printAtom(atom: Atom): string {
  switch (atom.kind) {
    case 'keyword':
      return atom.text;
    case 'phrase':
      return quoted(atom.text);
    case 'hashtag':
      return `#${atom.name}`;
    case 'cashtag':
      return `$${atom.name}`;
    case 'mention':
      return `@${atom.name}`;
    case 'operator':
      return `${atom.name}:${printValue(atom.value)}`;
  }
}

function printValue({ form, text }: OperatorValue): string {
  switch (form) {
    case 'word':
      return text;
    case 'quoted':
      return quoted(text);
    case 'brackets':
      return `[${text}]`;
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}
