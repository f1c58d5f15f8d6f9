import { NamedError } from '../core/named-error.js';

/** Marks an answer that a fault of a sandbox replaced (docs/sandbox.md#faults). */
export class InjectedFault extends NamedError {
  /** `source` names the rule or the header that asked for it. */
  constructor(readonly source: string) {
    super(source);
  }
}
