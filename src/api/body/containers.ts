import type { JsonSchema } from '../../core/json-schema.js';
import type { BodyFaults } from './body-faults.js';
import type { BodyField, BodyFields, BodyFieldValues } from './fields.js';

/** A list of `min` to `max` items. A list longer than `max` is reported without looking at its items. */
export function listField<T>(
  item: BodyField<T>,
  rules: { readonly min: number; readonly max: number; readonly description?: string },
): BodyField<readonly Exclude<T, undefined>[] | undefined> {
  const { min, max, description } = rules;
  return {
    required: false,
    schema: { type: 'array', items: item.schema, minItems: min, maxItems: max, description },
    absent: undefined,
    check: (value, path, faults) => {
      if (!Array.isArray(value)) {
        faults.addType(path, value, 'array');
        return undefined;
      }
      if (value.length < min)
        faults.add(path, `there must be a minimum of ${items(min)} in the array`, value);
      if (value.length > max) {
        faults.add(path, `there must be a maximum of ${items(max)} in the array`, value);
        return undefined;
      }
      return value
        .map((entry: unknown, index) => item.check(entry, `${path}[${index}]`, faults))
        .filter((entry): entry is Exclude<T, undefined> => entry !== undefined);
    },
  };
}

function items(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}

/** An object with these members and no others. */
export function objectField<F extends BodyFields>(
  fields: F,
  description?: string,
): BodyField<BodyFieldValues<F> | undefined> {
  const known: ReadonlyMap<string, BodyField<unknown>> = new Map(Object.entries(fields));
  return {
    required: false,
    schema: objectSchema(fields, description),
    absent: undefined,
    check: (value, path, faults) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        faults.addType(path, value, 'object');
        return undefined;
      }
      reportUnknown(known, value, path, faults);
      return checkMembers(known, value, path, faults) as BodyFieldValues<F>;
    },
  };
}

function reportUnknown(
  known: ReadonlyMap<string, unknown>,
  value: object,
  path: string,
  faults: BodyFaults,
): void {
  for (const [name, member] of Object.entries(value)) {
    if (known.has(name)) continue;
    if (faults.isFull) return;
    faults.add(
      `${path}.${name}`,
      'is not defined in the schema and the schema does not allow additional properties',
      member,
    );
  }
}

function checkMembers(
  known: ReadonlyMap<string, BodyField<unknown>>,
  value: object,
  path: string,
  faults: BodyFaults,
): Record<string, unknown> {
  const checked: Record<string, unknown> = {};
  for (const [name, field] of known) {
    const memberPath = `${path}.${name}`;
    if (Object.hasOwn(value, name)) {
      checked[name] = field.check((value as Record<string, unknown>)[name], memberPath, faults);
    } else {
      checked[name] = field.absent;
      if (field.required) faults.add(memberPath, 'is missing but it is required');
    }
  }
  return checked;
}

function objectSchema(fields: BodyFields, description?: string): JsonSchema {
  const requiredNames = Object.entries(fields)
    .filter(([, field]) => field.required)
    .map(([name]) => name);
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])),
    required: requiredNames.length > 0 ? requiredNames : undefined,
    additionalProperties: false,
  };
}
