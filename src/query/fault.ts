/** What is wrong with a query, as it is told to the client, with its position where one is documented. */
export type Fault = string;

const PREFIX = 'There were errors processing your request: ';

/** More faults than these help nobody. */
const MAX_FAULTS = 20;

/** A fault at a position: code points from the query's start, counted from 1 unless the original counts otherwise. */
export function faultAt(position: number, text: string): Fault {
  return `${text} (at position ${String(position)})`;
}

/** The message for a query with faults (docs/api/search.md#errors). */
export function faultMessage(faults: readonly Fault[]): string {
  return PREFIX + faults.slice(0, MAX_FAULTS).join(', ');
}
