/** A schema object of OpenAPI 3.0, as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Points to a component schema by its name in `schemas/components.ts`. */
export function ref(component: string): JsonSchema {
  return { $ref: `#/components/schemas/${component}` };
}
