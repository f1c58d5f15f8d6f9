import type { Principal } from '../core/access.js';
import type { UserId } from '../core/ids.js';
import type { Selection } from '../views/selection.js';
import { type FieldValues, selectionOf } from './params/selection.js';

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

interface SentTexts {
  readonly rawPath: Readonly<Record<string, string>>;
  readonly rawQuery: string;
}

/** An id that a valid parameter lists, leading zeros and all. */
function idAsSent({ rawPath, rawQuery }: SentTexts, parameter: string, id: bigint): string {
  const text = rawPath[parameter] ?? new URLSearchParams(rawQuery).get(parameter) ?? '';
  return text.split(',').find((entry) => BigInt(entry) === id) ?? String(id);
}
