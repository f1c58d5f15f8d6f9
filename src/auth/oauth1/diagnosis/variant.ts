/** One possible value of a part of a signature: the right one, or the one that a known mistake of clients gives. */
export interface Variant {
  readonly text: string;
  /** What the client did, such as `left out the parameter ids`. Absent for the right value. */
  readonly mistake?: string;
}

const MAX_NAME_LENGTH = 60;

/** Shortens a name for a sentence. */
export function shortName(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
