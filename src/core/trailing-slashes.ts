/** Returns a path without the slashes at its end. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path.charAt(end - 1) === '/') end -= 1;
  return path.slice(0, end);
}
