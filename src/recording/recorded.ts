import { Journal } from '../journal/journal.js';
import { readRecordingLog, type LogLine } from './recording-log.js';
import { SeenNetwork, type Sighting } from './seen-network.js';

/** What a recording has so far: the requests with their answers, and what the answers showed. */
export class Recorded {
  readonly journal = new Journal();
  readonly seen = new SeenNetwork((sighting) => this.#onSighting(sighting));
  #onSighting: (sighting: Sighting) => void = () => undefined;

  constructor(readonly target: string) {}

  /** Reads the log of a recording that did not end; undefined if there is none. */
  static async read(file: string): Promise<Recorded | undefined> {
    let recorded: Recorded | undefined;
    for await (const line of readRecordingLog(file)) {
      if ('target' in line) recorded ??= new Recorded(line.target);
      else if (recorded) recorded.#restore(line);
    }
    return recorded;
  }

  /** Calls `append` with everything that is recorded from now on. */
  follow(append: (line: LogLine) => void): void {
    this.journal.subscribe({ onEntry: (entry) => append({ entry }) });
    this.#onSighting = (sighting) => append({ sighting });
  }

  /** Returns all that is recorded, for `read`. */
  *lines(): Generator<LogLine, void> {
    yield { target: this.target };
    for (const entry of this.journal.find().reverse()) yield { entry };
    for (const sighting of this.seen.sightings()) yield { sighting };
  }

  #restore(line: Exclude<LogLine, { readonly target: string }>): void {
    if ('entry' in line) this.journal.place(line.entry.id, line.entry);
    else this.seen.restore(line.sighting);
  }
}
