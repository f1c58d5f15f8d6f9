import { codePointOffsets } from '../core/unicode.js';
import type { OperatorValue } from './ast.js';
import { type Fault, faultAt } from './fault.js';

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
  | (Span & { readonly kind: 'near'; readonly text: string; readonly distance: number })
  | (Span & { readonly kind: 'hashtag' | 'cashtag' | 'mention'; readonly name: string })
  | (Span & { readonly kind: 'operator'; readonly name: string; readonly value: OperatorValue });

export interface Lexed {
  /** Ends with `end`. */
  readonly lexemes: readonly Lexeme[];
  readonly faults: readonly Fault[];
}

const SPACE = /\s+/y;
/**
 * Starts with a letter, a mark, a digit, `_` or an emoji or other symbol beyond ASCII; almost anything may follow.
 */
const KEYWORD =
  /(?:[\p{L}\p{M}\p{N}_\p{Extended_Pictographic}\p{Regional_Indicator}]|(?![\0-\x7F])\p{S}|[#*]\uFE0F?\u20E3)[^\s()"]*/uy;
const OPERATOR_NAME = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?=:)/uy;
const OPERATOR_WORD = /[^\s()"[\]][^\s()"]*/y;
const BRACKETS = /\[([^\]]*)\]/y;
const DISTANCE = /~(\d{1,9})/y;
const PHRASE = /"((?:\\"|[^"\\]|\\(?!"))*)"/y;
const TAG = /[#＃](?![\uFE0F\u20E3])([\p{L}\p{M}\p{N}_\u200C\u200D\u00B7\u30FB]+)/uy;
const CASHTAG = /\$([a-zA-Z][a-zA-Z0-9]*(?:[._][a-zA-Z0-9]+)*)/y;
const MENTION = /[@＠]([a-zA-Z0-9_]+)/y;
/** The required end of hashtags, cashtags and mentions. */
const BOUNDARY = /(?=[\s()"]|$)/y;

/**
 * Splits a query into lexemes and reports invalid characters; `"a b"~2` is a lexeme only if `hasDistances`. Takes
 * linear time.
 */
export function lex(query: string, hasDistances: boolean): Lexed {
  const lexer = new Lexer(query, hasDistances);
  lexer.run();
  return lexer;
}

class Lexer implements Lexed {
  readonly lexemes: Lexeme[] = [];
  readonly faults: Fault[] = [];
  readonly #query: string;
  readonly #hasDistances: boolean;
  readonly #codePoints: (unit: number) => number;
  /** UTF-16 units. */
  #unit = 0;

  constructor(query: string, hasDistances: boolean) {
    this.#query = query;
    this.#hasDistances = hasDistances;
    this.#codePoints = codePointOffsets(query);
  }

  run(): void {
    while (this.#unit < this.#query.length) {
      if (this.#match(SPACE) === undefined) this.#next();
    }
    this.lexemes.push({ kind: 'end', at: this.#position(), source: '<EOF>' });
  }

  #next(): void {
    const start = this.#unit;
    const sign = this.#query.charAt(start);
    if (sign === '(' || sign === ')' || sign === '-' || sign === '[' || sign === ']') {
      this.#unit++;
      this.lexemes.push({ kind: sign, at: this.#position(start), source: sign });
    } else if (sign === '"') this.#phrase();
    else if (!this.#tag('hashtag', TAG) && !this.#tag('cashtag', CASHTAG) && !this.#tag('mention', MENTION)) {
      if (!this.#operator() && !this.#keyword()) this.#badCharacter();
    }
  }

  #phrase(): void {
    const start = this.#unit;
    const text = this.#quoted();
    if (text === undefined) return;
    const distance = this.#hasDistances ? this.#match(DISTANCE)?.[1] : undefined;
    const span = this.#from(start);
    if (distance === undefined) this.lexemes.push({ kind: 'phrase', ...span, text });
    else this.lexemes.push({ kind: 'near', ...span, text, distance: Number(distance) });
  }

  /** Reads a quoted text and removes its escapes. Returns undefined and adds a fault if the quotes are not closed. */
  #quoted(): string | undefined {
    const match = this.#match(PHRASE);
    if (match !== undefined) return (match[1] ?? '').replaceAll('\\"', '"');
    this.#unclosed('"');
    return undefined;
  }

  #unclosed(expected: string): void {
    this.#unit = this.#query.length;
    this.faults.push(faultAt(this.#position(), `mismatched character '<EOF>' expecting '${expected}'`));
  }

  #tag(kind: 'hashtag' | 'cashtag' | 'mention', pattern: RegExp): boolean {
    const start = this.#unit;
    const name = this.#match(pattern)?.[1];
    if (name === undefined) return false;
    this.lexemes.push({ kind, ...this.#from(start), name });
    if (this.#match(BOUNDARY) === undefined) {
      this.#badCharacter();
      this.#match(OPERATOR_WORD);
    }
    return true;
  }

  #operator(): boolean {
    const start = this.#unit;
    const name = this.#match(OPERATOR_NAME)?.[0].toLowerCase();
    if (name === undefined) return false;
    const colon = this.#unit++;
    const value = this.#value();
    if (value !== undefined) this.lexemes.push({ kind: 'operator', ...this.#from(start), name, value });
    else this.lexemes.push({ kind: ':', at: this.#position(colon), source: ':' });
    return true;
  }

  /** Reads the value after an operator's colon; undefined if there is none. */
  #value(): OperatorValue | undefined {
    const sign = this.#query.charAt(this.#unit);
    if (sign === '"') {
      const text = this.#quoted();
      return text === undefined ? undefined : { form: 'quoted', text };
    }
    if (sign === '[') {
      const text = this.#match(BRACKETS)?.[1];
      if (text === undefined) this.#unclosed(']');
      return text === undefined ? undefined : { form: 'brackets', text };
    }
    const text = this.#match(OPERATOR_WORD)?.[0];
    return text === undefined ? undefined : { form: 'word', text };
  }

  #keyword(): boolean {
    const start = this.#unit;
    const text = this.#match(KEYWORD)?.[0];
    if (text === undefined) return false;
    if (text === 'OR') this.lexemes.push({ kind: 'or', ...this.#from(start) });
    else this.lexemes.push({ kind: 'keyword', ...this.#from(start), text });
    return true;
  }

  #badCharacter(): void {
    const character = String.fromCodePoint(this.#query.codePointAt(this.#unit) ?? 0);
    this.faults.push(faultAt(this.#position(), `no viable alternative at character '${character}'`));
    this.#unit += character.length;
  }

  /** Consumes a match of the sticky pattern at the current position. */
  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#unit;
    const match = pattern.exec(this.#query);
    if (match === null) return undefined;
    this.#unit = pattern.lastIndex;
    return match;
  }

  #from(start: number): { at: number; source: string } {
    return { at: this.#position(start), source: this.#query.slice(start, this.#unit) };
  }

  #position(unit = this.#unit): number {
    return this.#codePoints(unit) + 1;
  }
}
