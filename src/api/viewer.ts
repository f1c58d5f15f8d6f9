import type { Principal } from '../core/access.js';
import type { UserId } from '../core/ids.js';
import type { Selection } from '../views/selection.js';
import { type FieldValues, selectionOf } from './params/selection.js';
import { idAsSent, type SentTexts } from './sent-ids.js';

/** Who looks: the user of a user context, nobody in particular for an app. */
export function viewerOf(principal: Principal): UserId | undefined {
  return principal.context === 'app' ? undefined : principal.userId;
}

/** As much of a call as its views need. */
interface Look {
  readonly principal: Principal;
  readonly params: FieldValues;
}

/** What every view asks of a call: who looks, and what the call selects. */
export function viewOf({ principal, params }: Look): {
  readonly viewerId: UserId | undefined;
  readonly selection: Selection;
} {
  return { viewerId: viewerOf(principal), selection: selectionOf(params) };
}

/** The same for what a call asks for by id: `parameter` is where the ids are, for the errors of those not shown. */
export function lookupOf(call: Look & SentTexts, parameter: string) {
  return { ...viewOf(call), parameter, asSent: (id: bigint) => idAsSent(call, parameter, id) };
}
