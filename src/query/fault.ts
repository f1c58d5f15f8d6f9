/** A fault of a query as reported to the client, with its position where documented. */
export type Fault = string;

const PREFIX = 'There were errors processing your request: ';

/** More faults would not help. */
const MAX_FAULTS = 20;

/** Returns a fault at a position in code points, counted from 1 unless X counts differently. */
export function faultAt(position: number, text: string): Fault {
  return `${text} (at position ${String(position)})`;
}

/** Returns the error message for a query with faults (docs/api/search.md#errors). */
export function faultMessage(faults: readonly Fault[]): string {
  return PREFIX + faults.slice(0, MAX_FAULTS).join(', ');
}
