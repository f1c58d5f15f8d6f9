import { curlCode } from './curl.js';
import type { ExampleRequest } from './example-request.js';
import { javascriptCode } from './javascript.js';
import { pythonCode } from './python.js';

/** The languages of examples, by the name that addresses and the cookie have. */
export const LANGUAGES = {
  curl: { label: 'curl', write: curlCode },
  javascript: { label: 'JavaScript', write: javascriptCode },
  python: { label: 'Python', write: pythonCode },
} as const satisfies Record<
  string,
  { readonly label: string; readonly write: (request: ExampleRequest) => string }
>;

export type Language = keyof typeof LANGUAGES;

/** Returns the language of a name; undefined for another text. */
export function languageOf(name: string): Language | undefined {
  return Object.hasOwn(LANGUAGES, name) ? (name as Language) : undefined;
}
