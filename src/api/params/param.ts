import type { JsonSchema } from '../../core/json-schema.js';
import type { Faults } from '../../http/faults.js';

/**
 * One query or path parameter: how its text becomes a value, and how it is documented. `T` is what the handler gets; it
 * includes undefined unless the parameter is required or has a default.
 */
export interface ParamSpec<T> {
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  /** The value when the parameter is not sent. */
  readonly absent: T;
  /** Reads the decoded, non-empty text; reports what is wrong with it under `name`, and then returns `absent`. */
  parse(raw: string, name: string, faults: Faults): T;
}

/** The parameters of an endpoint by wire name, in the order in which messages list them. */
export type ParamMap = Readonly<Record<string, ParamSpec<unknown>>>;

/** What a handler gets for a parameter map. */
export type ParamValues<P extends ParamMap> = {
  readonly [K in keyof P]: P[K] extends ParamSpec<infer T> ? T : never;
};

/** The same parameter, refused when it is missing (docs/api/errors.md#validation-messages, "required missing"). */
export function required<T>(spec: ParamSpec<T>): ParamSpec<Exclude<T, undefined>> {
  return { ...spec, required: true } as ParamSpec<Exclude<T, undefined>>;
}

/** The same parameter as a part of the path. */
export function inPath<T>(spec: ParamSpec<T>): ParamSpec<Exclude<T, undefined>> {
  return { ...spec, in: 'path', required: true } as ParamSpec<Exclude<T, undefined>>;
}
