/**
 * Returns the ASCII form of a domain, or an empty text if it has none: the build puts this in place of the function of
 * `node:url`, so that the browser counts links as the server does.
 */
export function domainToASCII(domain: string): string {
  const url = `http://${domain}/`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}
