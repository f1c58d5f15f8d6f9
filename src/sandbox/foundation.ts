import type { Clock } from '../core/clock.js';
import type { LanguageDetector } from '../core/post-text/language.js';
import type { Config } from '../server/config.js';
import type { StartOptions } from '../server/start.js';
import type { SandboxClock } from './clock.js';
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
