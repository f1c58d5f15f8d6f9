import type { StreamMatch } from './live-rules.js';

/** Receives what happens on a stream. */
export interface StreamListener {
  /** The next matches come after its promise resolves. */
  onMatches(matches: readonly StreamMatch[]): Promise<void>;
  /** The server ends the stream. */
  onEnd(): void;
}

/** Keeps new matches until older ones have been passed on. */
export class StreamGate implements StreamListener {
  readonly #listener: StreamListener;
  #kept: StreamMatch[] | undefined;

  constructor(listener: StreamListener, isOpen: boolean) {
    this.#listener = listener;
    this.#kept = isOpen ? undefined : [];
  }

  async onMatches(matches: readonly StreamMatch[]): Promise<void> {
    if (this.#kept === undefined) await this.#listener.onMatches(matches);
    else this.#kept.push(...matches);
  }

  onEnd(): void {
    this.#listener.onEnd();
  }

  /** Passes older matches on. */
  async passOn(matches: readonly StreamMatch[]): Promise<void> {
    if (matches.length > 0) await this.#listener.onMatches(matches);
  }

  /** Passes on what was kept; new matches follow directly. */
  async open(): Promise<void> {
    while (this.#kept !== undefined && this.#kept.length > 0) await this.passOn(this.#kept.splice(0));
    this.#kept = undefined;
  }
}
