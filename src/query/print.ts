import type { OperatorValue, Syntax } from './ast.js';

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
      return syntax.text;
    case 'phrase':
      return quoted(syntax.text);
    case 'near':
      return `${quoted(syntax.text)}~${String(syntax.distance)}`;
    case 'hashtag':
      return `#${syntax.name}`;
    case 'cashtag':
      return `$${syntax.name}`;
    case 'mention':
      return `@${syntax.name}`;
    case 'operator':
      return `${syntax.name}:${printValue(syntax.value)}`;
  }
}

function grouped(syntax: Syntax, inGroup: boolean): string {
  return inGroup ? `(${print(syntax)})` : print(syntax);
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
