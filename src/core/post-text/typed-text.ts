import { extractEntities, type TextEntities } from './extract.js';
import type { LanguageDetector } from './language.js';

/** A post's text as its author typed it, and what follows from it alone. */
export interface TypedText {
  /** Normalized. */
  readonly text: string;
  readonly entities: TextEntities;
  /** See `LanguageDetector`. */
  readonly lang: string;
}

/** Reads a normalized text. Detects its language unless `lang` is given. */
export function readTypedText(language: LanguageDetector, text: string, lang?: string): TypedText {
  const entities = extractEntities(text);
  return { text, entities, lang: lang ?? language.detect(text, entities) };
}
