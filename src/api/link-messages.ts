import { writeJson } from '../core/wire-json.js';
import { withMembers } from '../core/with-members.js';
import type { WriteMessage } from '../services/webhooks/link-producer.js';
import type { Views } from '../views/views.js';
import { matchingRules } from './streamed-posts.js';
import { selectionOf } from './viewer.js';

/** Creates the function that writes the messages of links: those of the filtered stream (docs/api/streams.md#messages). */
export function linkMessages(views: Pick<Views, 'post'>): WriteMessage {
  return async ({ postId, rules }, fields) => {
    const names = Object.entries(fields).map(([name, values]) => [name, new Set(values)]);
    const selection = selectionOf(Object.fromEntries(names));
    const envelope = await views.post({ ids: [postId], viewerId: undefined, selection });
    if (envelope.data === undefined) return undefined;
    return writeJson(withMembers(envelope, matchingRules(rules))).toString();
  };
}
