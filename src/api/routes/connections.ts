import { count, flag, fullObject, listOf, object, text } from '../../core/json-schema.js';
import { STREAM_NAMES } from '../../core/stream-connection.js';
import * as v from '../../core/validators.js';
import type { ConnectionChoice } from '../../services/streams/connections.js';
import { presenter } from '../../views/wire/presenter.js';
import { jsonBody } from '../body/body.js';
import { connectionFields } from '../connection-fields.js';
import type { ApiContext } from '../context.js';
import { type AnyEndpoint, type Call, endpoint, perQuarterHour } from '../endpoint.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { CONNECTION_FIELDS } from '../params/fields.js';
import { choiceParam, choicesParam, inPath, type ParamMap } from '../params/params.js';

/** Connections to streams (docs/api/streams.md#open-connections). */

const PATH = '/2/connections';
const MAX_AT_ONCE = 100;

const common = { tag: 'Streams', access: { contexts: ['app'] } } as const;

const STATES = { active: true, inactive: false, all: undefined } as const;

const kills = {
  ...common,
  method: 'DELETE',
  params: {},
  response: fullObject({
    data: object(
      {
        successful_kills: count,
        failed_kills: count,
        results: listOf(object({ uuid: text, success: flag, error_message: text }, ['uuid', 'success'])),
      },
      ['successful_kills', 'failed_kills'],
    ),
  }),
} as const;

export const connectionEndpoints: readonly AnyEndpoint[] = [
  pagedEndpoint({
    ...common,
    operationId: 'getConnectionHistory',
    summary: 'The connections of the app to streams, newest first',
    path: PATH,
    rateLimits: perQuarterHour({ app: 450 }),
    params: {
      status: choiceParam(['active', 'inactive', 'all'], 'active', 'Open connections, ended ones, or both.'),
      endpoints: choicesParam(STREAM_NAMES, 'Only connections to these streams.'),
      'connection.fields': choicesParam(
        CONNECTION_FIELDS,
        'Fields of the connections; all are returned by default.',
      ),
    },
    page: { min: 1, max: MAX_AT_ONCE, default: 10 },
    component: 'Connection',
    list: ({ streams }, { principal, params }, page) =>
      streams.connections.page(
        principal.app.id,
        { isOpen: STATES[params.status], streams: params.endpoints },
        page,
      ),
    show: ({ streams }, { params }, connections) => {
      const present = presenter(connectionFields, params['connection.fields']);
      const nowMs = streams.clock();
      const data = connections.map((connection) => present(connection, nowMs));
      return Promise.resolve(data.length === 0 ? {} : { data });
    },
  }),
  endpoint({
    ...kills,
    operationId: 'deleteConnectionsByUuids',
    summary: 'Ends connections by their ids',
    path: PATH,
    rateLimits: perQuarterHour({ app: 450 }),
    body: jsonBody(
      v.object({
        uuids: v.required(
          v.list(v.text({ min: 1, max: 100 }), {
            min: 1,
            max: MAX_AT_ONCE,
            description: 'The ids of connections.',
          }),
        ),
      }),
    ),
    handler: (context, call) => {
      const uuids = [...new Set(call.body.uuids)];
      return kill(context, call, { uuids }, uuids);
    },
  }),
  endpoint({
    ...kills,
    operationId: 'deleteAllConnections',
    summary: 'Ends all connections of the app',
    path: `${PATH}/all`,
    rateLimits: perQuarterHour({ app: 25 }),
    handler: (context, call) => kill(context, call, 'all'),
  }),
  endpoint({
    ...kills,
    operationId: 'deleteConnectionsByEndpoint',
    summary: 'Ends the connections of the app to one stream',
    path: `${PATH}/{endpoint_id}`,
    rateLimits: perQuarterHour({ app: 450 }),
    params: { endpoint_id: inPath(choiceParam(STREAM_NAMES, undefined, 'The name of the stream.')) },
    handler: (context, call) => kill(context, call, { stream: call.params.endpoint_id }),
  }),
];

/** Ends connections and reports on those that were `named`, or else on those that it ended. */
async function kill(
  { streams }: ApiContext,
  { principal }: Pick<Call<typeof common.access, ParamMap, undefined>, 'principal'>,
  choice: ConnectionChoice,
  named?: readonly string[],
): Promise<unknown> {
  const ended = await streams.connections.kill(principal.app.id, choice);
  const killed = new Set(ended.map(({ uuid }) => uuid));
  const results = (named ?? [...killed]).map((uuid) =>
    killed.has(uuid)
      ? { uuid, success: true }
      : { uuid, success: false, error_message: 'The app has no open connection with this id.' },
  );
  const counts = { successful_kills: killed.size, failed_kills: results.length - killed.size };
  return { data: results.length === 0 ? counts : { ...counts, results } };
}
