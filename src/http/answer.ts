/** An answer whose status, headers or bytes are not those of the declaration. */
export class Answer {
  constructor(
    readonly status: number,
    /** Streams and Buffers are sent as they are, texts too when `headers` has a content-type; all else as JSON. */
    readonly body?: unknown,
    /** Names in lower case; a list is sent as several headers. */
    readonly headers: Readonly<Record<string, string | readonly string[]>> = {},
    /** What was thrown where the answer is a refusal; for the log. */
    readonly cause?: unknown,
  ) {}
}
