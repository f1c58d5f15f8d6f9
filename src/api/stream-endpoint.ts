import { partOf } from '../core/id-shares.js';
import { invalidRequest } from '../core/errors.js';
import { schemaOf } from '../core/json-schema.js';
import type { StreamEnd, StreamName } from '../core/stream-connection.js';
import { Answer } from '../http/answer.js';
import { takes } from '../http/content-encoding.js';
import { gzipped, messageOf, MessageStream } from '../http/message-stream.js';
import { JSON_TYPE } from '../http/problems.js';
import type { StreamReader, StreamSource, StreamSpan } from '../services/streams/feed-streams.js';
import { PROBLEMS } from '../views/present/partial-errors.js';
import type { ApiContext, Streams } from './context.js';
import { type AnyEndpoint, type Call, endpoint, perQuarterHour } from './endpoint.js';
import { integerParam, type ParamMap, type ParamValues, required, timestampParam } from './params/params.js';

/** The app's own token. */
const ACCESS = { contexts: ['app'] } as const;

/** A stream over the feed: what it carries. Connections, framing and recovery are common to all. */
export interface StreamSpec<P extends ParamMap> {
  readonly operationId: string;
  readonly summary: string;
  readonly path: string;
  readonly name: StreamName;
  /** Without the parameters of all streams. Streams with the same values share their messages. */
  readonly params: P;
  /** How many connections carry the whole stream together: `partition` chooses one, and is required. */
  readonly partitions?: number;
  /** If false, there is no `start_time` and `end_time`. Default true. */
  readonly recovers?: boolean;
  /** Connections per quarter of an hour. Default 450: each partition has connections of its own. */
  readonly rateLimit?: number;
  /** The most open connections of an app, if it may have more than to other streams. */
  readonly minLimit?: number;
  /** If true, it answers 409 to apps that have not set it up. */
  readonly conflicts?: true;
  /** Describes a message. */
  readonly message: string;
  /** Starts a stream of an app. Throws PipitError to refuse. */
  open(
    context: ApiContext,
    call: Omit<Call<typeof ACCESS, P, undefined>, 'body'> & {
      /** Reports whether the part of the stream that the call chooses has an id. */
      isInPart(id: bigint): boolean;
    },
  ): Opened | Promise<Opened>;
}

type Opened = Omit<StreamSource, 'key'>;

const MAX_BACKFILL_MINUTES = 5;
const MINUTE_MS = 60_000;
const MAX_RECOVERED_MS = 24 * 60 * MINUTE_MS;

/** Proxies that buffer would keep messages back. A client that reconnects must not reach a server that stops. */
const HEADERS = { 'content-type': JSON_TYPE, 'x-accel-buffering': 'no', connection: 'close' } as const;

/** Declares a stream (docs/api/streams.md#connections). */
export function streamEndpoint<P extends ParamMap>(spec: StreamSpec<P>): AnyEndpoint {
  const { operationId, summary, path, rateLimit = 450, partitions, conflicts, message } = spec;
  return endpoint({
    operationId,
    tag: 'Streams',
    summary,
    path,
    access: ACCESS,
    rateLimits: perQuarterHour({ app: rateLimit }),
    params: paramsOf(spec),
    ...(conflicts && { conflicts }),
    streams: true,
    response: schemaOf('object', { description: message }),
    handler: async (context, call) => {
      const params = call.params as unknown as StreamParams & ParamValues<P>;
      const span = spanOf(params, context.streams.clock());
      const partition = params.partition ?? 0;
      const isInPart = (id: bigint): boolean =>
        partitions === undefined || partOf(id, partitions) === partition;
      const source = await spec.open(context, { ...call, params, isInPart });
      const { id: appId } = call.principal.app;
      const clientAddress = context.streams.clientAddress(call);
      const { name, minLimit } = spec;
      const request = { appId, stream: name, partition, clientAddress, minLimit, span };
      const key = JSON.stringify([name, String(appId), keyOf(call.params)]);
      const stream = await connect(context.streams, request, { ...source, key });
      if (!takes('gzip', call.headers['accept-encoding'])) return new Answer(200, stream, HEADERS);
      return new Answer(200, gzipped(stream), { ...HEADERS, 'content-encoding': 'gzip' });
    },
  });
}

/** The parameters of all streams. */
interface StreamParams {
  readonly backfill_minutes: number;
  readonly partition?: number;
  readonly start_time?: number;
  readonly end_time?: number;
}

const TIME_PARAMS = {
  start_time: timestampParam('Sends what happened from this time on until `end_time`, and ends.'),
  end_time: timestampParam('Required beside `start_time`.'),
};

function paramsOf({ params, partitions, recovers = true }: StreamSpec<ParamMap>): ParamMap {
  return {
    backfill_minutes: integerParam<number>(
      0,
      MAX_BACKFILL_MINUTES,
      0,
      'Sends what happened in these last minutes first.',
    ),
    ...(partitions !== undefined && {
      partition: required(
        integerParam(
          1,
          partitions,
          undefined,
          'The part of the stream to connect to; each carries other messages.',
        ),
      ),
    }),
    ...(recovers && TIME_PARAMS),
    ...params,
  };
}

/** Returns the time that a stream carries (docs/api/streams.md#recovery). Throws 'invalid-request'. */
function spanOf({ backfill_minutes, start_time, end_time }: StreamParams, nowMs: number): StreamSpan {
  if (start_time === undefined && end_time === undefined) return { backfillMs: backfill_minutes * MINUTE_MS };
  if (start_time === undefined) throw invalidTime('start_time', 'is required beside `end_time`');
  if (end_time === undefined) throw invalidTime('end_time', 'is required beside `start_time`');
  if (backfill_minutes > 0) throw invalidTime('backfill_minutes', 'cannot be combined with `start_time`');
  if (start_time < nowMs - MAX_RECOVERED_MS)
    throw invalidTime('start_time', 'must be within the last 24 hours');
  if (end_time > nowMs) throw invalidTime('end_time', 'must not be in the future');
  if (end_time <= start_time) throw invalidTime('end_time', 'must be after `start_time`');
  return { startMs: start_time, endMs: end_time };
}

function invalidTime(name: keyof StreamParams, rule: string) {
  return invalidRequest(name, [], `The \`${name}\` query parameter ${rule}`);
}

/** Returns the values that determine the messages. */
function keyOf(params: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(params)
    .filter(([name]) => name !== 'backfill_minutes' && !(name in TIME_PARAMS))
    .map(([name, value]) => [name, value instanceof Set ? [...value].sort() : String(value)]);
}

/** Returns the body of an open stream. Throws 'stream-refused' if the app may not open one more. */
async function connect(
  { feed, maxWaitingBytes }: Streams,
  request: Parameters<Streams['feed']['open']>[0],
  source: StreamSource,
): Promise<MessageStream> {
  let reason: StreamEnd = 'ClientDisconnect';
  const onSlow = (): Buffer => {
    reason = 'SlowReader';
    return farewellOf(reason);
  };
  const stream = new MessageStream({ onSlow, maxWaitingBytes });
  const reader: StreamReader = {
    send: (message) => stream.send(message),
    room: () => stream.room(),
    end: (why) => (why === 'RecoveryCompleted' ? stream.finishRead() : stream.finish(farewellOf(why))),
  };
  try {
    const end = await feed.open(request, source, reader);
    stream.once('close', () => end(reason));
    return stream;
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

const DETAILS: Readonly<Partial<Record<StreamEnd, string>>> = {
  OperationalDisconnect: 'This stream has been disconnected for operational reasons.',
  ForceDisconnect: 'This stream has been disconnected at the request of the app.',
  SlowReader: 'This stream has been disconnected because the client reads too slowly.',
};

/** Returns the last message of a stream that the server ends (docs/api/streams.md#messages). */
function farewellOf(reason: StreamEnd): Buffer {
  const type = 'operational-disconnect';
  const error = { title: type, disconnect_type: reason, detail: DETAILS[reason], type: PROBLEMS + type };
  return messageOf(JSON.stringify({ errors: [error] }));
}
