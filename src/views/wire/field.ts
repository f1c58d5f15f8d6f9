import { object, type Schema, type ValueOf } from '../../core/json-schema.js';

/** A member of a wire object: its schema and its value. `S` is the stored object, `X` what is loaded beside it. */
export interface Field<S, X = unknown, T = unknown> {
  readonly schema: Schema<T>;
  readonly shown: 'always' | 'by-default' | 'on-request' | 'never';
  /** Returns undefined to leave the member out. */
  readonly present: (object: S, extra: X) => unknown;
  /** The name that requests use for the member: its own when absent, none when null. */
  readonly askedAs?: string | null;
}

/** The members of a wire object by their names, in the order in which answers write them. */
export type Fields<S, X = unknown> = Readonly<Record<string, Field<S, X>>>;

type Primitive = string | number | boolean | null | undefined;

/** `V`, with the type `never` for each member, at any depth, that `T` lacks. */
type Exactly<V, T> = V extends Primitive
  ? V
  : V extends readonly (infer I)[]
    ? T extends readonly (infer J)[]
      ? readonly Exactly<I, J>[]
      : never
    : { readonly [K in keyof V]: K extends keyof T ? Exactly<V[K], Exclude<T[K], undefined>> : never };

/** Declares a member that every answer has. */
export function required<S, X, T, const V extends T>(
  schema: Schema<T>,
  present: (object: S, extra: X) => V & Exactly<V, T>,
): Field<S, X, T> {
  return { schema, shown: 'always', present };
}

/** Declares a member that answers have whenever it has a value. */
export const byDefault = declare('by-default');

/** Declares a member that answers have when the request asks for it and it has a value. */
export const field = declare('on-request');

function declare(shown: Field<never>['shown']) {
  return <S, X, T, const V extends T>(
    schema: Schema<T>,
    present: (object: S, extra: X) => (V & Exactly<V, T>) | undefined,
  ): Field<S, X, T> => ({ schema, shown, present });
}

/** Declares a member that is documented and can be asked for, but never has a value here. */
export function unshown<T>(schema: Schema<T>): Field<unknown, unknown, T> {
  return { schema, shown: 'never', present: () => undefined };
}

/** Presents a value as it was imported: the compiler does not compare its type with the schema. */
export function asImported(value: unknown): never {
  return value as never;
}

/** Returns the schema of a wire object: default members first, the others in the order of their names. */
export function objectSchema<F extends Fields<never, never>>(
  fields: F,
): Schema<{ readonly [K in keyof F]?: ValueOf<F[K]['schema']> }> {
  const entries = Object.entries(fields);
  const isDefault = ([, { shown }]: (typeof entries)[number]) => shown === 'always' || shown === 'by-default';
  const others = entries
    .filter((entry) => !isDefault(entry))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const properties = [...entries.filter(isDefault), ...others].map(([name, { schema }]) => [name, schema]);
  const always = entries.flatMap(([name, { shown }]) => (shown === 'always' ? name : []));
  return object(Object.fromEntries(properties), always) as Schema<never>;
}
