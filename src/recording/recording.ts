import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import { replacePrivateFile } from '../database/private-file.js';
import { toHar } from '../journal/har.js';
import { Journal } from '../journal/journal.js';
import { createRecorder } from '../journal/recorder.js';
import { openRecordProxy } from './record-proxy.js';
import { SeenNetwork } from './seen-network.js';
import { settleWorld } from './settle-world.js';
import { worldOf, type Completion } from './world-of.js';

const WORLD_FILE = 'world.json';
const JOURNAL_FILE = 'journal.har';

export interface RecordingOptions {
  /** The folder for the files. */
  readonly folder: string;
  readonly target: URL;
  readonly port: number;
  readonly version: string;
  readonly clock: Clock;
}

/** What a recording wrote. */
export interface RecordingReport extends Completion {
  /** Answers whose objects were read. */
  readonly answers: number;
  readonly requests: number;
  /** Entries of the world by section. */
  readonly world: Readonly<Record<string, number>>;
  /** Entries that break a rule of world files. */
  readonly leftOutEntries: number;
  /** Objects beyond the bound of a recording. */
  readonly beyondBound: number;
}

/** Starts to record (docs/recording.md). Rejects if the proxy cannot listen. */
export async function startRecording({ folder, target, port, version, clock }: RecordingOptions) {
  const seen = new SeenNetwork();
  const journal = new Journal();
  const proxy = await openRecordProxy({
    target,
    port,
    record: createRecorder({ journal, clock, endpoints: [], maxExplanationsPerSecond: 0 }),
    onAnswer: (answer) => seen.read(answer),
  });
  return {
    url: proxy.url,
    /** Ends the proxy and writes both files, with access for their owner only. */
    finish: async (): Promise<RecordingReport> => {
      await proxy.close();
      const baseUrl = target.origin;
      const entries = [...journal.find()].reverse();
      await replacePrivateFile(join(folder, JOURNAL_FILE), asFile(toHar(entries, { baseUrl, version })));
      const { world, completion } = worldOf(seen);
      const settled = await settleWorld(world, baseUrl);
      await replacePrivateFile(join(folder, WORLD_FILE), asFile(filled(settled.world)));
      return {
        ...completion,
        answers: seen.answers,
        requests: entries.length,
        world: Object.fromEntries(
          Object.entries(filled(settled.world)).map(([name, each]) => [name, each.length]),
        ),
        leftOutEntries: settled.leftOut,
        beyondBound: seen.budget.refused,
      };
    },
  };
}

const asFile = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Returns the sections that have entries. */
function filled<T>(world: Readonly<Record<string, readonly T[]>>): Record<string, readonly T[]> {
  return Object.fromEntries(Object.entries(world).filter(([, entries]) => entries.length > 0));
}
