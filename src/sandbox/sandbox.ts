import type { Journal } from '../journal/journal.js';
import type { SandboxClock } from './clock.js';
import type { ClockControl } from './clock-control.js';
import type { CurrentServer } from './current-server.js';
import type { Costs } from './costs/costs.js';
import type { FaultRules } from './faults/fault-rules.js';
import type { States } from './states.js';

/** The parts of a sandbox, on which its operations act. */
export interface Sandbox {
  /** The public URL of the server. */
  readonly publicUrl: string;
  readonly clock: SandboxClock;
  /** The server that clients reach, with its backend. */
  readonly server: CurrentServer;
  readonly states: States;
  /** The requests to the server, and their answers. */
  readonly journal: Journal;
  /** Moves the clock, with everything that becomes due. */
  readonly clockControl: ClockControl;
  readonly faults: FaultRules;
  readonly costs: Costs;
}
