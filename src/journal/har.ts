import { STATUS_CODES } from 'node:http';
import type { HeaderList, JournalEntry, RecordedBody } from './entry.js';

export interface HarOptions {
  /** The base of the URLs, without a slash at the end. */
  readonly baseUrl: string;
  /** The version of this server. */
  readonly version: string;
}

/** Unknown, as the format writes it. */
const UNKNOWN = -1;

/** Returns entries as an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/), oldest first. */
export function toHar(entries: readonly JournalEntry[], { baseUrl, version }: HarOptions): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'pipit', version },
      entries: entries.map((entry) => harEntry(entry, baseUrl)),
    },
  };
}

function harEntry({ timeMs, elapsedMs, request, answer }: JournalEntry, baseUrl: string): object {
  const { method, path, query, httpVersion: version } = request;
  const httpVersion = `HTTP/${version}`;
  return {
    startedDateTime: new Date(timeMs).toISOString(),
    time: elapsedMs,
    request: {
      method,
      url: baseUrl + path + (query === '' ? '' : `?${query}`),
      httpVersion,
      cookies: [],
      headers: namesAndValues(request.headers),
      queryString: namesAndValues([...new URLSearchParams(query)]),
      ...(request.body.bytes > 0 && { postData: postData(request.body, typeOf(request.headers)) }),
      headersSize: UNKNOWN,
      bodySize: request.body.bytes,
    },
    response: {
      status: answer.status,
      statusText: STATUS_CODES[answer.status] ?? '',
      httpVersion,
      cookies: [],
      headers: namesAndValues(answer.headers),
      content: content(answer.body, typeOf(answer.headers)),
      redirectURL: valueOf(answer.headers, 'location'),
      headersSize: UNKNOWN,
      bodySize: answer.body.bytes,
    },
    cache: {},
    timings: { send: 0, wait: elapsedMs, receive: 0 },
  };
}

function postData({ text, base64, isCut }: RecordedBody, mimeType: string): object {
  // The format has no encoding for the body of a request.
  const comment = isCut ? 'cut' : text === undefined ? 'base64' : undefined;
  return { mimeType, params: [], text: text ?? base64 ?? '', ...(comment !== undefined && { comment }) };
}

function content({ bytes, text, base64, isCut }: RecordedBody, mimeType: string): object {
  return {
    size: bytes,
    mimeType,
    ...(text !== undefined && { text }),
    ...(base64 !== undefined && { text: base64, encoding: 'base64' }),
    ...(isCut && { comment: 'cut' }),
  };
}

function namesAndValues(pairs: HeaderList): readonly object[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

function typeOf(headers: HeaderList): string {
  return valueOf(headers, 'content-type');
}

function valueOf(headers: HeaderList, wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}
