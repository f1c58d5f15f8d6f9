/** The storage of the browser, which people may switch off and fill: then it has nothing, and keeps nothing. */

/** Returns the text of a key; null without one. */
export function storedText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text. Returns false if the browser has no room, or stores nothing. */
export function storeText(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Removes the text of a key. */
export function removeText(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // A browser that stores nothing has none.
  }
}

/** Returns the keys that begin so. */
export function keysBelow(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}
