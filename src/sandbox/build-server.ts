import { hash } from 'node:crypto';
import type { Clock } from '../core/clock.js';
import type { LanguageDetector } from '../core/post-text/language.js';
import { seededRandom } from '../core/seeded-random.js';
import type { Config } from '../server/config.js';
import { buildPipit, type Pipit, type StartOptions } from '../server/start.js';
import type { SandboxClock } from './clock.js';
import type { Opening } from './contents/contents.js';
import type { OpenContents } from './contents/open-contents.js';

export interface SandboxOptions extends Pick<
  StartOptions,
  'clock' | 'detectsNesting' | 'dataFolder' | 'log' | 'language'
> {
  /** World documents to load after the configured world files. */
  readonly worlds?: readonly unknown[];
}

/** What each server of a sandbox is built from. */
export interface Foundation
  extends
    Omit<SandboxOptions, 'clock' | 'language'>,
    Pick<StartOptions, 'around' | 'recordCall' | 'followEngine'> {
  readonly config: Config;
  readonly clock: SandboxClock;
  /** The clock of the machine. */
  readonly realClock: Clock;
  readonly contents: OpenContents;
  readonly language: LanguageDetector;
}

/** Builds a server of a sandbox. It does not listen, and its background work is not started. */
export function buildServer(
  { config, contents, clock, realClock, ...options }: Foundation,
  opening: Opening,
  seed: number | undefined,
): Promise<Pipit> {
  const { mediaFolder } = contents;
  return buildPipit(config, {
    ...options,
    ...opening,
    clock: clock.now,
    // Clients sign with their own time.
    signingClock: realClock,
    mediaFolder,
    ...(seed === undefined ? {} : { random: seededRandom(seed), firstKey: keyOfSeed(seed) }),
  });
}

/** Returns the key of a seeded database: tokens of pages depend on it. */
function keyOfSeed(seed: number): Buffer {
  return hash('sha256', `pipit sandbox ${seed}`, 'buffer');
}
