import type { JsonSchema } from '../json-schema.js';
import { described, listOf, object, oneOf, text } from './basic.js';

const status: JsonSchema = { type: 'integer', minimum: 400, maximum: 599 };

const violation = object(
  { parameters: { type: 'object', additionalProperties: listOf(text) }, message: text },
  ['parameters', 'message'],
);

/** A request that failed as a whole (reference/errors.md section 1). */
export const problem: JsonSchema = object(
  {
    title: text,
    detail: text,
    type: described(text, 'A URI that names the kind of problem, or `about:blank`.'),
    status,
    errors: described(listOf(violation), 'What is wrong, for `invalid-request`.'),
  },
  ['title', 'detail', 'type'],
);

/** A part of a successful answer that could not be given (reference/errors.md section 2). */
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

/** The error form of `/1.1/` paths (reference/errors.md section 5). */
export const v1Errors: JsonSchema = object(
  { errors: listOf(object({ code: { type: 'integer' }, message: text }, ['code', 'message'])) },
  ['errors'],
);
