/** Returns an app's redirect URI with response parameters added (RFC 6749 4.1.2, RFC 5849 2.2). */
export function answerUri(
  registeredUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) sent.set(name, value);
  return `${registeredUri}${separatorFor(registeredUri)}${sent.toString()}`;
}

function separatorFor(uri: string): string {
  if (!uri.includes('?')) return '?';
  return /[?&]$/.test(uri) ? '' : '&';
}
