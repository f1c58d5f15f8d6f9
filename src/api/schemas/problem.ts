import { described, fullObject, listOf, object, oneOf, schemaOf, text } from '../../core/json-schema.js';

const status = schemaOf('integer', { minimum: 400, maximum: 599 });

const violation = fullObject({
  parameters: { type: 'object', additionalProperties: listOf(text) },
  message: text,
});

const common = {
  title: text,
  detail: text,
  type: described(text, 'A URI that names the kind of problem, or `about:blank`.'),
};

/** A request that failed as a whole. */
export const problem = fullObject({ ...common, status });

/** Parameters or a body that are wrong. */
export const invalidRequestProblem = fullObject({
  ...common,
  errors: described(listOf(violation), 'What is wrong, each fault once.'),
});

/** A request that names something that does not exist. */
export const resourceNotFoundProblem = fullObject({
  ...common,
  status,
  resource_type: text,
  parameter: text,
  value: text,
  resource_id: text,
});

/** An app whose track or level excludes the operation. */
export const clientForbiddenProblem = fullObject({
  ...common,
  status,
  client_id: text,
  registration_url: text,
  required_enrollment: text,
  reason: text,
});

/** A project that has used up its posts of the month. */
export const usageCappedProblem = fullObject({
  ...common,
  status,
  account_id: text,
  product_name: text,
  period: text,
  scope: text,
});

/** A stream that cannot be opened (docs/api/streams.md#connections). */
export const streamRefusedProblem = fullObject({
  ...common,
  status,
  connection_issue: oneOf('TooManyConnections', 'RuleConfigurationIssue'),
});

/** A part that a successful answer lacks (docs/api/errors.md#partial-errors). */
export const error = object(
  {
    title: text,
    detail: text,
    type: text,
    value: text,
    resource_type: text,
    resource_id: text,
    parameter: text,
    field: text,
    section: oneOf('data', 'includes'),
  },
  ['title', 'type'],
);

/** The error form of `/1.1/` paths (docs/api/errors.md#v11-errors). */
export const v1Errors = fullObject({
  errors: listOf(fullObject({ code: schemaOf('integer'), message: text })),
});
