import { ID_PATTERN } from './ids.js';

/** A schema object of OpenAPI 3.0, as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

declare const value: unique symbol;

/** A schema whose values have the type `T`, known to the compiler only. */
export interface Schema<T> extends JsonSchema {
  readonly [value]: T;
}

/** The type of a schema's values; `never` if the compiler does not know it. */
export type ValueOf<S> = S extends Schema<infer T> ? T : never;

interface Types {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  object: object;
}

/** Returns a schema of a JSON type with further keywords. */
export function schemaOf<K extends keyof Types>(type: K, keywords: JsonSchema = {}): Schema<Types[K]> {
  return typed({ type, ...keywords });
}

function typed<T>(schema: JsonSchema): Schema<T> {
  return schema as Schema<T>;
}

/** docs/api/requests.md#parameters. */
export const id = schemaOf('string', { pattern: ID_PATTERN.source, example: '1346889436626259968' });
export const text = schemaOf('string');
export const url = schemaOf('string', { format: 'uri' });
export const flag = schemaOf('boolean');
export const count = schemaOf('integer', { minimum: 0 });
export const date = schemaOf('string', { format: 'date-time', example: '2022-10-07T22:42:12.000Z' });

export function described<T>(schema: Schema<T>, description: string): Schema<T> {
  return { ...schema, description };
}

/** Returns the schema of the same values and null. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return typed({ ...schema, nullable: true });
}

export function oneOf<const V extends string>(...values: readonly V[]): Schema<V> {
  return typed({ type: 'string', enum: values });
}

export function listOf<T>(items: Schema<T>): Schema<readonly T[]> {
  return typed({ type: 'array', items });
}

type Members = Readonly<Record<string, JsonSchema>>;

type ObjectOf<M extends Members, R extends keyof M> = { readonly [K in R]: ValueOf<M[K]> } & {
  readonly [K in Exclude<keyof M, R>]?: ValueOf<M[K]>;
};

/** Returns the schema of an object. Members not in `required` may be absent; members unknown here may be present. */
export function object<M extends Members, R extends keyof M & string = never>(
  properties: M,
  required: readonly R[] = [],
): Schema<ObjectOf<M, R>> {
  return typed({ type: 'object', properties, ...(required.length > 0 ? { required } : {}) });
}

/** Returns the schema of an object whose members are all present. */
export function fullObject<M extends Members>(properties: M): Schema<ObjectOf<M, keyof M & string>> {
  return object(properties, Object.keys(properties) as (keyof M & string)[]);
}

/** Returns the schema of an object of counts, all present. */
export function counts<const N extends string>(...names: readonly N[]): Schema<Readonly<Record<N, number>>> {
  return typed(fullObject(Object.fromEntries(names.map((name) => [name, count]))));
}

/** Returns a reference to a component schema by its name in `api/schemas/components.ts`. */
export function ref(component: string): Schema<object> {
  return typed({ $ref: `#/components/schemas/${component}` });
}
