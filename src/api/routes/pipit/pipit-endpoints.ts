import type { AnyEndpoint } from '../../endpoint.js';
import { pinnedPostEndpoints } from './pinned-post.js';
import { voteInPoll } from './poll-votes.js';

/** The endpoints of Pipit itself, which the original does not have (docs/api/pipit.md). */
export const pipitEndpoints: readonly AnyEndpoint[] = [voteInPoll, ...pinnedPostEndpoints];
