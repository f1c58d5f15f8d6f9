import { PipitError, type Violation } from '../core/errors.js';

/** More broken rules than this are not listed: a short request must not make a huge answer. */
const MAX_VIOLATIONS = 100;

/** Longer values are echoed cut off, for the same reason. */
const MAX_ECHO_CHARACTERS = 1024;

/** Collects all broken rules of one request, so that they are reported together (docs/api/errors.md#problems). */
export class Faults {
  readonly #violations: Violation[] = [];

  /** `name` is the parameter or JSON path, `values` what was sent for it (empty when it is missing). */
  add(name: string, values: readonly string[], message: string): void {
    this.addFor({ [name]: values }, message);
  }

  /** The same for a rule about several parameters together. */
  addFor(parameters: Readonly<Record<string, readonly string[]>>, message: string): void {
    if (this.isFull) return;
    const clipped = Object.entries(parameters).map(([name, values]) => [name, values.map(clip)] as const);
    this.#violations.push({ parameters: Object.fromEntries(clipped), message });
  }

  /** True when there are as many as are listed: no more need to be looked for. */
  get isFull(): boolean {
    return this.#violations.length >= MAX_VIOLATIONS;
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
