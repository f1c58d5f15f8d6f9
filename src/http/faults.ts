import { PipitError, type Violation } from '../core/errors.js';

/** More broken rules than this are not listed: a short request must not make a huge answer. */
const MAX_VIOLATIONS = 100;

/** Nor are more than fill this: many messages repeat what was sent, or the names that are allowed. */
const MAX_BYTES = 32_768;

/** Longer names and values are echoed cut off, for the same reason. */
const MAX_ECHO_CHARACTERS = 1024;

/** What is kept of each end of a long message: the middle is what was sent. */
const MAX_MESSAGE_HALF = 2048;

/** Collects all broken rules of one request, so that they are reported together (docs/api/errors.md#problems). */
export class Faults {
  readonly #violations: Violation[] = [];
  #bytes = 0;

  /** `name` is the parameter or JSON path, `values` what was sent for it (empty when it is missing). */
  add(name: string, values: readonly string[], message: string): void {
    this.addFor({ [name]: values }, message);
  }

  /** The same for a rule about several parameters together. */
  addFor(parameters: Readonly<Record<string, readonly string[]>>, message: string): void {
    if (this.isFull) return;
    const clipped = Object.entries(parameters).map(
      ([name, values]) => [clip(name), values.map(clip)] as const,
    );
    const violation = { parameters: Object.fromEntries(clipped), message: clipMiddle(message) };
    this.#violations.push(violation);
    this.#bytes += Buffer.byteLength(JSON.stringify(violation));
  }

  /** True when there are as many as are listed: no more need to be looked for. */
  get isFull(): boolean {
    return this.#violations.length >= MAX_VIOLATIONS || this.#bytes >= MAX_BYTES;
  }

  get isEmpty(): boolean {
    return this.#violations.length === 0;
  }

  /** Throws the 400 that names every fault; returns when there is none. */
  throwIfAny(): void {
    if (this.isEmpty) return;
    throw new PipitError({ code: 'invalid-request', violations: this.#violations });
  }
}

/** A value as it may be repeated in a message. */
export function clip(value: string): string {
  return value.length <= MAX_ECHO_CHARACTERS ? value : `${value.slice(0, MAX_ECHO_CHARACTERS)}…`;
}

function clipMiddle(message: string): string {
  if (message.length <= 2 * MAX_MESSAGE_HALF) return message;
  return `${message.slice(0, MAX_MESSAGE_HALF)}…${message.slice(-MAX_MESSAGE_HALF)}`;
}
