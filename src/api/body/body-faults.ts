import type { Faults } from '../../http/faults.js';
import { isLongInteger, longIntegerDigits } from '../../http/json.js';

/** Reports broken rules of a body: by JSON path, in the spelling (flat or nested) that the request used. */
export class BodyFaults {
  /** `renamed` leads from nested paths to the flat paths that were sent instead. */
  constructor(
    private readonly faults: Faults,
    private readonly renamed: ReadonlyMap<string, string>,
  ) {}

  /** See `Faults`. */
  get isFull(): boolean {
    return this.faults.isFull;
  }

  /** `value` is what was sent; leave it out when the fault is that nothing was. */
  add(path: string, message: string, ...value: readonly unknown[]): void {
    const sent = this.sentPath(path);
    this.faults.add(sent, value.map(asText), `${sent}: ${message}`);
  }

  /** A value of the wrong JSON type, in the words of docs/api/errors.md#validation-messages. */
  addType(path: string, value: unknown, expected: string): void {
    this.add(path, `${typeName(value)} found, ${expected} expected`, value);
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

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (isLongInteger(value)) return 'integer';
  return typeof value;
}

function asText(value: unknown): string {
  if (isLongInteger(value)) return longIntegerDigits(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
