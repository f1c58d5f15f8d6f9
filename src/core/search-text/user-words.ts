import { tokensOf } from './tokenize.js';

/**
 * Returns the distinct words by which the search of users finds a user: the tokens of the name, the username in lower
 * case, and the parts of the username between underscores (docs/api/people.md#search).
 */
export function userWords({
  username,
  name,
}: {
  readonly username: string;
  readonly name: string;
}): string[] {
  const handle = username.toLowerCase();
  const parts = handle.split('_').filter((part) => part !== '');
  return [...new Set([handle, ...parts, ...tokensOf(name)])];
}

/** Returns the distinct words of a query. A user matches if each is the beginning of one of the user's words. */
export function queryWords(query: string): string[] {
  return [...new Set(tokensOf(query))];
}
