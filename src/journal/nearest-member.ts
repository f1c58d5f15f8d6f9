import type { AnyEndpoint } from '../api/endpoint.js';
import { found, type Nearest } from './nearest.js';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
}

/** Finds the member, or the choice of its value, that is nearest to a refused member of a JSON body, such as `$.a[0].b`. */
export function nearestMember(
  { body }: AnyEndpoint,
  path: string,
  values: readonly string[],
): readonly Nearest[] {
  if (body?.kind !== 'json') return [];
  const steps = path.slice(1).match(/[^.[\]]+/g) ?? [];
  let schema: Schema | undefined = body.object.schema;
  for (const [at, step] of steps.entries()) {
    const parent: Schema = schema ?? {};
    const { properties, items } = parent;
    const isLast = at === steps.length - 1;
    const next: Schema | undefined =
      properties && Object.hasOwn(properties, step)
        ? properties[step]
        : /^\d+$/.test(step)
          ? items
          : undefined;
    if (next === undefined && isLast && properties) {
      return nearestName(path, step, [
        ...Object.keys(properties),
        ...(at === 0 ? Object.keys(body.flat) : []),
      ]);
    }
    schema = next;
  }
  const choices = schema?.enum?.map(String) ?? [];
  return values.flatMap((value) => (choices.includes(value) ? [] : found('value', value, choices)));
}

function nearestName(path: string, name: string, known: readonly string[]): readonly Nearest[] {
  if (known.includes(name)) return [];
  const parent = path.slice(0, path.length - name.length);
  return found('field', name, known).map(({ kind, accepted }) => ({
    kind,
    sent: path,
    accepted: accepted.map((each) => parent + each),
  }));
}
