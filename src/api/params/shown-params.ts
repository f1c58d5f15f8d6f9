import type { JsonSchema } from '../../core/json-schema.js';
import { newerNamesOf } from '../../views/newer-names.js';
import type { ParamMap, ParamSpec } from './params.js';

type Shown = readonly [name: string, spec: ParamSpec<unknown>];

/**
 * Returns parameters as documents show them: by each of their names, with the names of both vocabularies that they
 * choose among (docs/api/objects.md#vocabularies).
 */
export function shownParams(params: ParamMap): Shown[] {
  return Object.entries(params).flatMap(([name, spec]) => {
    if (!spec.newer) return [[name, spec]];
    const newer = spec.newer.spec;
    const names = newerNamesOf(name);
    if (names.length === 0) return [[name, { ...spec, schema: withChoicesOf(spec.schema, newer.schema) }]];
    const description = `The same as \`${name}\`; the answer uses the newer names.`;
    return [[name, spec], ...names.map((each): Shown => [each, { ...newer, description }])];
  });
}

function withChoicesOf(schema: JsonSchema, newer: JsonSchema): JsonSchema {
  const items = schema['items'] as JsonSchema;
  const choices = new Set([...choicesOf(schema), ...choicesOf(newer)]);
  return { ...schema, items: { ...items, enum: [...choices] } };
}

function choicesOf(schema: JsonSchema): readonly string[] {
  return (schema['items'] as { readonly enum: readonly string[] }).enum;
}
