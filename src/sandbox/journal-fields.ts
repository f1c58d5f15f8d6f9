import {
  count,
  date,
  flag,
  fullObject,
  id,
  listOf,
  object,
  oneOf,
  schemaOf,
  text,
  type ValueOf,
} from '../core/json-schema.js';
import type { HeaderList, JournalEntry, RecordedBody } from '../journal/entry.js';
import type { Refusal } from '../journal/refusal.js';
import { timeText } from './times.js';

const headers = listOf(fullObject({ name: text, value: text }));
const body = object({ bytes: count, text, base64: text, is_cut: flag }, ['bytes', 'is_cut']);

const kind = oneOf(
  'operation',
  'method',
  'parameter',
  'value',
  'field',
  'scope',
  'permission',
  'credentials',
);
const nearest = object({ kind, sent: text, accepted: listOf(text) }, ['kind', 'accepted']);

const explanation = object(
  {
    step: text,
    summary: text,
    compared: listOf(object({ what: text, client: text, server: text }, ['what', 'server'])),
    hints: listOf(text),
  },
  ['step', 'summary'],
);

/** An entry of the journal (docs/journal.md#entries). */
export const entryFields = object(
  {
    id: count,
    time: date,
    operation: text,
    transaction_id: text,
    request: fullObject({ method: text, path: text, query: text, http_version: text, headers, body }),
    answer: fullObject({ status: count, headers, body }),
    elapsed_ms: schemaOf('number', { minimum: 0 }),
    is_open: flag,
    is_cut: flag,
    app: fullObject({ id, name: text }),
    named_app_id: id,
    user_id: id,
    via: text,
    statements: listOf(fullObject({ text, elapsed_ms: schemaOf('number', { minimum: 0 }) })),
    refusal: object(
      { reason: text, detail: text, base_string: text, nearest: listOf(nearest), explanation },
      ['reason'],
    ),
  },
  ['id', 'time', 'operation', 'request', 'answer', 'elapsed_ms', 'is_open', 'is_cut'],
);

/** Returns an entry as the sandbox shows it. */
export function presentEntry(entry: JournalEntry): ValueOf<typeof entryFields> {
  const { request, answer, app, refusal } = entry;
  return {
    id: entry.id,
    time: timeText(entry.timeMs),
    operation: entry.operation,
    transaction_id: entry.requestId,
    request: {
      method: request.method,
      path: request.path,
      query: request.query,
      http_version: request.httpVersion,
      headers: presentHeaders(request.headers),
      body: presentBody(request.body),
    },
    answer: {
      status: answer.status,
      headers: presentHeaders(answer.headers),
      body: presentBody(answer.body),
    },
    elapsed_ms: tenths(entry.elapsedMs),
    is_open: entry.isOpen,
    is_cut: entry.isCut,
    ...(app && { app }),
    named_app_id: entry.namedAppId,
    user_id: entry.userId,
    via: entry.via,
    statements: entry.statements?.map((each) => ({ text: each.text, elapsed_ms: tenths(each.elapsedMs) })),
    ...(refusal && { refusal: presentRefusal(refusal) }),
  };
}

/** Rounds milliseconds to tenths. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function presentRefusal({ baseString, ...others }: Refusal) {
  return { ...others, base_string: baseString };
}

function presentHeaders(pairs: HeaderList) {
  return pairs.map(([name, value]) => ({ name, value }));
}

function presentBody({ bytes, text: shown, base64, isCut }: RecordedBody) {
  return { bytes, text: shown, base64, is_cut: isCut };
}
