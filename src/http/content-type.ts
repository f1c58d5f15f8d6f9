const FORM = /^\s*application\/x-www-form-urlencoded\b/i;

/** Reports whether a content-type header is `application/x-www-form-urlencoded`. */
export function isForm(contentType: string | undefined): boolean {
  return contentType !== undefined && FORM.test(contentType);
}

/** Returns the media type of a content-type header in lower case, without parameters. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
