import { jsonBody } from '../../api/body/body.js';
import { count, object as objectOf, schemaOf } from '../../core/json-schema.js';
import {
  integer,
  leaf,
  number,
  object,
  oneOf,
  refined,
  required,
  text,
  type Validator,
} from '../../core/validators.js';
import { writeParsedJson } from '../../http/json.js';
import { MAX_DELAY_MS, type Cut, type Delay, type Drip, type Effect } from './effect.js';
import { headerMap } from './header-map.js';

const MAX_REQUESTS = 1_000_000_000;
const MAX_BODY_BYTES = 1024 ** 2;

/** Adds the rule that exactly one member is present. */
function oneMember<T extends object>(base: Validator<T>): Validator<T> {
  return refined(base, (value, path, faults) => {
    if (Object.keys(value).length === 1) return value;
    faults.add(
      path,
      `must have exactly one of [${Object.keys(base.schema.properties as object).join(', ')}]`,
    );
    return undefined;
  });
}

const ms = number(0, MAX_DELAY_MS, 'In milliseconds.');

const delay = oneMember(
  object(
    {
      fixed: ms,
      uniform: refined(object({ min: required(ms), max: required(ms) }), (value, path, faults) => {
        if (value.min <= value.max) return value;
        faults.add(path, 'must have a minimum up to its maximum');
        return undefined;
      }),
      lognormal: object({ median: required(ms), sigma: required(number(0, 10)) }),
    },
    'The time until the answer, in milliseconds: always the same, or drawn.',
  ),
) as unknown as Validator<Delay>;

const cut: Validator<Cut> = refined(
  object(
    {
      after_bytes: integer({ min: 0, max: MAX_REQUESTS }),
      after_messages: integer({ min: 0, max: MAX_REQUESTS, description: 'Messages of a stream.' }),
      clean: leaf<boolean>({ type: 'boolean' }, { kind: 'type', expected: 'boolean' }, (value) =>
        typeof value === 'boolean' ? value : undefined,
      ),
    },
    'Closes the connection inside the body. `clean` ends a stream as if it were complete.',
  ),
  ({ after_bytes: afterBytes, after_messages: afterMessages, clean: isClean = false }, path, faults) => {
    if ((afterBytes === undefined) !== (afterMessages === undefined))
      return { afterBytes, afterMessages, isClean };
    faults.add(path, 'must have exactly one of [after_bytes, after_messages]');
    return undefined;
  },
);

const drip: Validator<Drip> = refined(
  object(
    {
      bytes: required(integer({ min: 1, max: MAX_BODY_BYTES })),
      every_ms: required(integer({ min: 1, max: MAX_DELAY_MS })),
    },
    'Sends the body in pieces of this many bytes.',
  ),
  ({ bytes, every_ms: everyMs }) => ({ bytes, everyMs }),
);

const anyJson: Validator<{ readonly json: string }> = leaf(
  { description: 'The body to send instead of the documented problem: any JSON.' },
  { kind: 'type', expected: 'object' },
  (value) => ({ json: writeParsedJson(value) }),
);

const effect: Validator<Effect> = refined(
  object({
    status: integer({
      min: 400,
      max: 599,
      description: 'Answers with this status; the operation does not run.',
    }),
    body: anyJson,
    headers: headerMap('Headers of that answer.'),
    delay,
    reset: oneOf(
      ['before', 'after'],
      'Resets the connection before the operation runs, or in place of its answer.',
    ),
    cut,
    drip,
  }),
  (value, path, faults) => {
    if (Object.keys(value).length === 0) faults.add(path, 'must have at least one effect');
    else if (value.status === undefined && (value.body ?? value.headers)) {
      faults.add(path, 'has a body or headers, which need a status');
    } else return value;
    return undefined;
  },
);

/** The body that adds a rule. */
export const ruleBody = jsonBody(
  object({
    match: object(
      {
        operation: text({ min: 1, max: 200 }),
        method: text({ min: 1, max: 20, pattern: /^[A-Za-z]+$/ }),
        path: text({ min: 1, max: 200, description: '`*` stands for any text, `{id}` for any one segment.' }),
        app: text({ min: 1, max: 100, description: 'The id or the name of the authenticated app.' }),
        user: text({ min: 1, max: 50, description: 'The id or the username of the authenticated user.' }),
        headers: headerMap('Headers of the request; `*` stands for any value.'),
        connection: integer({
          min: 1,
          max: MAX_REQUESTS,
          description: 'The nth connection of an app to a stream since the rule was added.',
        }),
      },
      'The requests; by default all.',
    ),
    probability: number(0, 1, 'Of being affected; drawn with the seed of the sandbox. Default 1.'),
    after: integer({
      min: 0,
      max: MAX_REQUESTS,
      description: 'Leaves this many matching requests alone first.',
    }),
    count: integer({ min: 1, max: MAX_REQUESTS, description: 'Affects this many requests; by default all.' }),
    effect: required(effect),
  }),
);

/** A rule as answers show it. */
export const ruleFields = objectOf(
  {
    id: count,
    match: schemaOf('object'),
    probability: schemaOf('number', { minimum: 0, maximum: 1 }),
    after: count,
    count,
    effect: schemaOf('object'),
    matched: count,
    applied: count,
  },
  ['id', 'match', 'probability', 'after', 'effect', 'matched', 'applied'],
);
