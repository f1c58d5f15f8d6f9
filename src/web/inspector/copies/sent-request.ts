import type { HeaderList, JournalEntry } from '../../../journal/entry.js';

/** A recorded request as another program can send it again. Secrets are placeholders. */
export interface SentRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: HeaderList;
  /** Absent if the request had none. */
  readonly body?: string;
  readonly status: number;
  /** What the person who runs the copy must know. */
  readonly notes: readonly string[];
}

/** The name of an environment variable where a secret was. */
export interface Placeholder {
  readonly variable: string;
}

/** The headers that describe the connection, or that programs compute themselves. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
  'expect',
  'te',
  'trailer',
  'upgrade',
  'cookie',
  'origin',
  'referer',
  'priority',
  'accept-language',
  'user-agent',
]);
const LEFT_OUT_GROUP = /^(?:sec-|x-forwarded-|proxy-)/;

/** A header value that every program can send. */
const SENDABLE = /^[\t -~\x80-\xFF]*$/;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Returns the request of an entry. `publicUrl` is the address of the server. */
export function sentRequest({ request, answer }: JournalEntry, publicUrl: string): SentRequest {
  const { method, path, query, body } = request;
  const notes = [
    ...(isSigned(request.headers)
      ? ['The request was signed with OAuth 1.0a: sign it again for AUTHORIZATION.']
      : []),
    ...(body.isCut ? ['The body was not recorded whole.'] : []),
    ...(body.base64 !== undefined ? ['The body was binary: send it from a file.'] : []),
    ...(/HIDDEN/.test(path) ? ['A part of the path was hidden.'] : []),
  ];
  const text = body.text ?? (body.bytes > 0 ? '' : undefined);
  return {
    method,
    url: publicUrl + path + (query === '' ? '' : `?${query}`),
    headers: request.headers.map(([name, value]) => [name.toLowerCase(), value] as const).filter(isKept),
    ...(text !== undefined && { body: text }),
    status: answer.status,
    notes,
  };
}

function isKept([name, value]: readonly [string, string]): boolean {
  return !LEFT_OUT.has(name) && !LEFT_OUT_GROUP.test(name) && NAME.test(name) && SENDABLE.test(value);
}

function isSigned(headers: HeaderList): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'authorization' && /^oauth\s/i.test(value));
}

/** A text with placeholders: the parts that are texts are sent as they are. */
export type Template = readonly (string | Placeholder)[];

/** Returns the value of a header with a placeholder for what is secret. */
export function headerTemplate(name: string, value: string): Template {
  if (name !== 'authorization') return value.includes('HIDDEN') ? [{ variable: variableOf(name) }] : [value];
  const scheme = /^([A-Za-z0-9]+) /.exec(value)?.[1] ?? '';
  if (/^bearer$/i.test(scheme)) return ['Bearer ', { variable: 'BEARER_TOKEN' }];
  return [{ variable: 'AUTHORIZATION' }];
}

/** Returns a query, form or JSON body with placeholders named after the hidden parameters. */
export function textTemplate(text: string): Template {
  const parts: (string | Placeholder)[] = [];
  let end = 0;
  for (const match of text.matchAll(/(?<=[?&]|^)([^=&?#\s"]{1,60})=(?:[^&]{0,8}HIDDEN)(?=&|$)/g)) {
    const [whole, name = ''] = match;
    parts.push(text.slice(end, match.index) + `${name}=`, { variable: variableOf(name) });
    end = match.index + whole.length;
  }
  for (const match of text.slice(end).matchAll(/"([^"\\]{1,60})"\s{0,9}:\s{0,9}"HIDDEN"/g)) {
    const [whole, name = ''] = match;
    const quoted = whole.slice(0, -'HIDDEN"'.length);
    const at = text.indexOf(whole, end);
    parts.push(text.slice(end, at) + quoted, { variable: variableOf(name) });
    end = at + whole.length - 1;
  }
  return [...parts, text.slice(end)];
}

function variableOf(name: string): string {
  const word = name
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
    .slice(0, 40);
  return /^[A-Z]/.test(word) ? word : `SECRET_${word}`;
}
