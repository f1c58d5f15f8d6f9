import { ID_PATTERN } from '../../core/ids.js';
import type { Fault, FaultSink } from '../../core/validators.js';
import type { Faults } from '../../http/faults.js';
import { isLongInteger, longIntegerDigits } from '../../http/json.js';

/** Reports broken rules of a body: by JSON path, in the spelling (flat or nested) that the request used. */
export class BodyFaults implements FaultSink {
  /** `renamed` leads from nested paths to the flat paths that were sent instead. */
  constructor(
    private readonly faults: Faults,
    private readonly renamed: ReadonlyMap<string, string>,
  ) {}

  get isFull(): boolean {
    return this.faults.isFull;
  }

  /** `value` is what was sent; undefined when the fault is that nothing was. */
  add(path: string, message: string, value?: unknown): void {
    const sent = this.sentPath(path);
    this.faults.add(sent, value === undefined ? [] : [asText(value)], `${sent}: ${message}`);
  }

  report(path: string, fault: Fault, value?: unknown): undefined {
    if (this.isFull) return;
    this.add(fault.kind === 'unknown' ? `${path}.${fault.name}` : path, messageOf(fault, value), value);
  }

  private sentPath(path: string): string {
    for (const [nested, flat] of this.renamed) {
      if (path === nested) return flat;
      if (path.startsWith(nested) && /^[.[]/.test(path.slice(nested.length))) {
        return flat + path.slice(nested.length);
      }
    }
    return path;
  }
}

/** The JSON types of the values that rules of other kinds are about. */
const EXPECTED: Readonly<Partial<Record<Fault['kind'], string>>> = {
  'not-text': 'string',
  length: 'string',
  pattern: 'string',
  choice: 'string',
  id: 'string',
  integer: 'integer',
};

/** Words a fault as docs/api/errors.md#validation-messages does. */
function messageOf(fault: Fault, value: unknown): string {
  const found = typeName(value);
  const expected = fault.kind === 'type' ? fault.expected : EXPECTED[fault.kind];
  const isNumericId = fault.kind === 'id' && found === 'integer';
  if (expected !== undefined && found !== expected && !isNumericId)
    return `${found} found, ${expected} expected`;
  switch (fault.kind) {
    case 'missing':
      return 'is missing but it is required';
    case 'unknown':
      return 'is not defined in the schema and the schema does not allow additional properties';
    case 'not-text':
      return 'is not valid Unicode text';
    case 'length':
      return fault.count > fault.max
        ? `may only be ${fault.max} characters long`
        : `must be at least ${fault.min} characters long`;
    case 'pattern':
      return `does not match the regex pattern ${fault.pattern.source}`;
    case 'id':
      return `does not match the regex pattern ${ID_PATTERN.source}`;
    case 'choice':
      return `does not have a value in the enumeration [${fault.values.join(', ')}]`;
    case 'integer':
    case 'number':
      return Number(asText(value)) < fault.min
        ? `must have a minimum value of ${fault.min}`
        : `must have a maximum value of ${fault.max}`;
    case 'items':
      return fault.count < fault.min
        ? `there must be a minimum of ${items(fault.min)} in the array`
        : `there must be a maximum of ${items(fault.max)} in the array`;
    case 'type':
    case 'time':
      return 'is not valid';
  }
}

function items(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return isLongInteger(value) ? 'integer' : typeof value;
}

function asText(value: unknown): string {
  if (isLongInteger(value)) return longIntegerDigits(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
