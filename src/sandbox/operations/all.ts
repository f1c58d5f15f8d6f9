import type { SandboxOperation } from '../operation.js';
import { costOperations } from './costs.js';
import { faultOperations } from './faults.js';
import { journalOperations } from './journal.js';
import { clockOperations } from './clock.js';
import { snapshotOperations } from './snapshots.js';
import { sessionOperations } from './sessions.js';
import { rateLimitOperations } from './rate-limits.js';
import { stateOperations } from './state.js';
import { worldOperations } from './world.js';
import { tokenOperations } from './tokens.js';
import { usageOperations } from './usage.js';

/** Every operation of a sandbox, in the order of its documents. */
export const sandboxOperations: readonly SandboxOperation[] = [
  ...stateOperations,
  ...snapshotOperations,
  ...clockOperations,
  ...worldOperations,
  ...tokenOperations,
  ...faultOperations,
  ...sessionOperations,
  ...journalOperations,
  ...rateLimitOperations,
  ...usageOperations,
  ...costOperations,
];
