import type { OperatorValue } from './ast.js';

interface Span {
  /** Code points from the query's start, counted from 1. */
  readonly at: number;
  /** As written. */
  readonly source: string;
}

/** The tokens of a query. `end` is the last one. */
export type Lexeme =
  | (Span & { readonly kind: '(' | ')' | '-' | '[' | ']' | ':' | 'or' | 'end' })
  | (Span & { readonly kind: 'keyword' | 'phrase'; readonly text: string })
  | (Span & { readonly kind: 'hashtag' | 'cashtag' | 'mention'; readonly name: string })
  | (Span & { readonly kind: 'operator'; readonly name: string; readonly value: OperatorValue });
