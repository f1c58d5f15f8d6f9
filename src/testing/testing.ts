/// <reference lib="esnext.disposable" preserve="true" />

/** The module `pipit/testing` (docs/testing.md): Pipit in the tests of other programs. */
export { startPipit, type Pipit, type Snapshot, type StartOptions, type State } from './start-pipit.js';
export { assertPosted, assertReceived } from './assertions.js';
export { pipitMatchers, type PipitMatchers } from './matchers.js';
export { PipitRefused, type Problem } from './connection.js';
export type { RunOptions, RunOutcome } from './led-run.js';
export { PipitNotStarted } from './server-process.js';
export { PipitWaitTimeout, type HttpArchive, type JournalEntry, type JournalFilter } from './journal.js';
export type { Fault, FaultEffect, FaultRule } from './faults.js';
export type { AppCosts, Budget, Prices } from './costs.js';
export type { UsageReport } from './usage.js';
export type { OAuth1Credentials } from './tokens.js';
export type { Post, User } from './users.js';
export type { World } from './world.js';
