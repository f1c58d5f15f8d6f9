import { date, described, oneOf, text } from '../core/json-schema.js';
import { STREAM_NAMES, type StreamConnection } from '../core/stream-connection.js';
import { presentDate } from '../views/present/dates.js';
import { byDefault, type Fields } from '../views/wire/field.js';

const streamName = oneOf(...STREAM_NAMES);

/** A connection of an app to a stream (docs/api/streams.md#connections). `extra` is the time of the answer. */
export const connectionFields = {
  id: byDefault(described(text, 'A UUID.'), ({ uuid }) => uuid),
  endpoint_name: byDefault(streamName, ({ stream }) => stream),
  client_ip: byDefault(text, ({ clientAddress }) => clientAddress),
  connected_at: byDefault(date, ({ connectedAtMs }) => presentDate(connectedAtMs)),
  disconnected_at: byDefault(date, (connection, nowMs) =>
    isOpen(connection, nowMs) ? undefined : presentDate(connection.endsAtMs),
  ),
  disconnect_reason: byDefault(text, (connection, nowMs) =>
    isOpen(connection, nowMs) ? undefined : (connection.reason ?? 'ConnectionLost'),
  ),
} satisfies Fields<StreamConnection, number>;

function isOpen({ reason, endsAtMs }: StreamConnection, nowMs: number): boolean {
  return reason === undefined && endsAtMs > nowMs;
}
