import { PipitError, type Violation } from '../core/errors.js';

/** The maximum number of listed violations: a short request must not cause a huge response. */
const MAX_VIOLATIONS = 100;

/** The maximum size of listed violations: messages may repeat input or the allowed names. */
const MAX_BYTES = 32_768;

/** Longer names and values are truncated, for the same reason. */
const MAX_ECHO_CHARACTERS = 1024;

/** What is kept of each end of a long message; the middle is input. */
const MAX_MESSAGE_HALF = 2048;

/** Collects all violations of a request, so that they are reported together (docs/api/errors.md#problems). */
export class Faults {
  readonly #violations: Violation[] = [];
  #bytes = 0;

  /** Adds a violation. `name` is the parameter or JSON path, `values` are the values sent (empty if missing). */
  add(name: string, values: readonly string[], message: string): void {
    this.addFor({ [name]: values }, message);
  }

  /** Adds a violation that concerns several parameters. */
  addFor(parameters: Readonly<Record<string, readonly string[]>>, message: string): void {
    if (this.isFull) return;
    const clipped = Object.entries(parameters).map(
      ([name, values]) => [clip(name), values.map(clip)] as const,
    );
    const violation = { parameters: Object.fromEntries(clipped), message: clipMiddle(message) };
    this.#violations.push(violation);
    this.#bytes += Buffer.byteLength(JSON.stringify(violation));
  }

  /** True when the limit is reached: further checks are unnecessary. */
  get isFull(): boolean {
    return this.#violations.length >= MAX_VIOLATIONS || this.#bytes >= MAX_BYTES;
  }

  get isEmpty(): boolean {
    return this.#violations.length === 0;
  }

  /** Throws a 400 with all violations, if any. */
  throwIfAny(): void {
    if (this.isEmpty) return;
    throw new PipitError({ code: 'invalid-request', violations: this.#violations });
  }
}

/** Truncates a value for use in a message. */
export function clip(value: string): string {
  return value.length <= MAX_ECHO_CHARACTERS ? value : `${value.slice(0, MAX_ECHO_CHARACTERS)}…`;
}

function clipMiddle(message: string): string {
  if (message.length <= 2 * MAX_MESSAGE_HALF) return message;
  return `${message.slice(0, MAX_MESSAGE_HALF)}…${message.slice(-MAX_MESSAGE_HALF)}`;
}
