/** Returns the id of the account that this page acts as; empty for a visitor. */
export function currentUser(): string {
  return document.getElementById('act')?.dataset['user'] ?? '';
}
