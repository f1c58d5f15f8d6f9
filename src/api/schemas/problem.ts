import type { JsonSchema } from '../json-schema.js';
import { described, listOf, object, oneOf, text } from './basic.js';

const status: JsonSchema = { type: 'integer', minimum: 400, maximum: 599 };

const violation = object(
  { parameters: { type: 'object', additionalProperties: listOf(text) }, message: text },
  ['parameters', 'message'],
);

const common = {
  title: text,
  detail: text,
  type: described(text, 'A URI that names the kind of problem, or `about:blank`.'),
};
const COMMON = Object.keys(common);

/** A request that failed as a whole. */
export const problem: JsonSchema = object({ ...common, status }, [...COMMON, 'status']);

/** Parameters or a body that are wrong. */
export const invalidRequestProblem: JsonSchema = object(
  { ...common, errors: described(listOf(violation), 'What is wrong, each fault once.') },
  [...COMMON, 'errors'],
);

const resource = { resource_type: text, parameter: text, value: text, resource_id: text };

/** What a request names and what does not exist. */
export const resourceNotFoundProblem: JsonSchema = object({ ...common, status, ...resource }, [
  ...COMMON,
  'status',
  ...Object.keys(resource),
]);

const enrollment = { client_id: text, registration_url: text, required_enrollment: text, reason: text };

/** An app whose track or level excludes the operation. */
export const clientForbiddenProblem: JsonSchema = object({ ...common, status, ...enrollment }, [
  ...COMMON,
  'status',
  ...Object.keys(enrollment),
]);

const cap = { account_id: text, product_name: text, period: text, scope: text };

/** A project whose posts of the month are used up. */
export const usageCappedProblem: JsonSchema = object({ ...common, status, ...cap }, [
  ...COMMON,
  'status',
  ...Object.keys(cap),
]);

/** A part of a successful answer that could not be given (docs/api/errors.md#partial-errors). */
export const error: JsonSchema = object(
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
export const v1Errors: JsonSchema = object(
  { errors: listOf(object({ code: { type: 'integer' }, message: text }, ['code', 'message'])) },
  ['errors'],
);
