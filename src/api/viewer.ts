import type { Principal } from '../core/access.js';
import type { UserId } from '../core/ids.js';
import { withMembers } from '../core/with-members.js';
import { sharedSelection, type Selection } from '../views/selection.js';
import { idAsSent, type SentTexts } from './sent-ids.js';

const NONE: ReadonlySet<string> = new Set();

type FieldKind = 'tweet' | 'user' | 'media' | 'poll' | 'place' | 'list' | 'space' | 'topic';

/** The field and expansion parameters that an endpoint may have. */
type FieldValues = Readonly<Partial<Record<'expansions' | `${FieldKind}.fields`, ReadonlySet<string>>>>;

/** Returns the user of a user context; undefined for an app. */
export function viewerOf(principal: Principal): UserId | undefined {
  return principal.context === 'app' ? undefined : principal.userId;
}

/** The part of a call that views need. */
interface Look {
  readonly principal: Principal;
  readonly params: FieldValues;
}

/** Returns the arguments common to all views: the viewer and the call's field selection. */
export function viewOf({ principal, params }: Look): {
  readonly viewerId: UserId | undefined;
  readonly selection: Selection;
} {
  return { viewerId: viewerOf(principal), selection: selectionOf(params) };
}

/** Returns the field selection of parameters. */
export function selectionOf(params: FieldValues): Selection {
  return sharedSelection({
    expansions: params.expansions ?? NONE,
    postFields: params['tweet.fields'] ?? NONE,
    userFields: params['user.fields'] ?? NONE,
    mediaFields: params['media.fields'] ?? NONE,
    pollFields: params['poll.fields'] ?? NONE,
    placeFields: params['place.fields'] ?? NONE,
    listFields: params['list.fields'] ?? NONE,
    spaceFields: params['space.fields'] ?? NONE,
    topicFields: params['topic.fields'] ?? NONE,
  });
}

/** Returns the same for a lookup by id; `parameter` contains the ids, for the errors of those not shown. */
export function lookupOf(call: Look & SentTexts, parameter: string) {
  return withMembers(viewOf(call), { parameter, asSent: (id: bigint) => idAsSent(call, parameter, id) });
}
