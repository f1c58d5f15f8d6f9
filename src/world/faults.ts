/** One broken rule of a world file: where (`$.posts[3].author`) and why. */
export interface WorldFault {
  readonly path: string;
  readonly reason: string;
}

/** More are counted, not listed. */
const MAX_LISTED = 1_000;

/** A world file that breaks a rule. Nothing of it was stored. */
export class WorldRefused extends Error {
  override readonly name = 'WorldRefused';

  constructor(
    readonly faults: readonly WorldFault[],
    /** How many faults there are beyond those listed. */
    readonly unlisted = 0,
    /** Where the document came from; undefined when it was no file. */
    readonly file?: string,
  ) {
    super(faults.map((fault) => `${fault.path}: ${fault.reason}`).join('; '));
  }
}

/** Collects every fault of a world file, so that they are reported together. */
export class WorldFaults {
  readonly #listed: WorldFault[] = [];
  #unlisted = 0;

  add(path: string, reason: string): void {
    if (this.#listed.length < MAX_LISTED) this.#listed.push({ path, reason });
    else this.#unlisted += 1;
  }

  /** Throws WorldRefused when there is any fault. */
  throwIfAny(): void {
    if (this.#listed.length > 0) throw new WorldRefused(this.#listed, this.#unlisted);
  }
}
