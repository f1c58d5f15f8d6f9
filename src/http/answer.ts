/** A response with its own status, headers or raw bytes instead of the declared ones. */
export class Answer {
  constructor(
    readonly status: number,
    /**
     * Streams and Buffers are sent unchanged, and so are strings if `headers` has a content-type; everything else is
     * sent as JSON.
     */
    readonly body?: unknown,
    /** Names are in lower case; a list is sent as several headers. */
    readonly headers: Readonly<Record<string, string | readonly string[]>> = {},
    /** The error behind a refusal, for the log. */
    readonly cause?: unknown,
  ) {}
}
