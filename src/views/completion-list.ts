import type { UserId } from '../core/ids.js';
import { userVisibility } from '../core/visibility.js';
import type { WireObject } from '../core/wire-json.js';
import { PostSet } from './hydrate/posts.js';
import { Includes, type Envelope } from './includes.js';
import type { ViewDeps } from './post-page.js';
import { completionFields, type Completion } from './wire/completion.js';
import { presenter } from './wire/presenter.js';

const present = presenter(completionFields, new Set());

export interface CompletionRequest {
  readonly viewerId: UserId;
  readonly userIds: readonly UserId[];
  readonly tags: readonly { readonly tag: string; readonly posts: number }[];
  /** The most entries to return. */
  readonly limit: number;
}

/** Returns completions in the given order, without suspended users. */
export function viewCompletions(
  { reads }: ViewDeps,
  { viewerId, userIds, tags, limit }: CompletionRequest,
): Promise<Envelope<WireObject[]>> {
  const objects = new PostSet(reads, viewerId);
  return objects.complete(() => {
    const users = userIds.flatMap((id) => objects.users.find(id) ?? []);
    const visible = users.filter((user) => userVisibility(user) === 'visible');
    const all: Completion[] = [
      ...visible.map((user) => ({ kind: 'user', user }) as const),
      ...tags.map((tag) => ({ kind: 'hashtag', ...tag }) as const),
    ];
    const shown = all.slice(0, limit);
    return new Includes().envelope(shown.length > 0 ? shown.map(present) : undefined);
  });
}
