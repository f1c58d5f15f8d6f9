import type { Fault, FaultSink } from '../../core/validators.js';
import type { Faults } from '../../http/faults.js';

/** Reports broken rules of the text `sent` for a parameter, or of an entry of that text. */
export class ParamFaults implements FaultSink {
  constructor(
    private readonly faults: Faults,
    private readonly sent: string,
  ) {}

  get isFull(): boolean {
    return this.faults.isFull;
  }

  add(name: string, message: string): void {
    this.faults.add(name, [this.sent], message);
  }

  report(name: string, fault: Fault, value?: unknown): undefined {
    if (!this.isFull)
      this.add(name, `The \`${name}\` query parameter value ${wordsOf(fault, String(value))}`);
  }
}

/** Words a fault as docs/api/errors.md#validation-messages does; path parameters are called query parameters too. */
function wordsOf(fault: Fault, value: string): string {
  switch (fault.kind) {
    case 'length':
    case 'items':
      return `length [${fault.count}] is not between ${fault.min} and ${fault.max}`;
    case 'integer':
    case 'number':
      return `[${value}] is not between ${fault.min} and ${fault.max}`;
    case 'pattern':
      return `[${value}] does not match ${fault.pattern.source}`;
    case 'choice':
      return `[${value}] is not one of [${[...fault.values].sort().join(',')}]`;
    case 'time':
      return `[${value}] is not a valid RFC3339 datetime`;
    case 'id':
    case 'not-text':
    case 'missing':
    case 'unknown':
    case 'type':
      return `[${value}] is not valid`;
  }
}
