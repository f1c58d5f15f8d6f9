import { PipitError } from '../../core/errors.js';
import type { NoticeId, PostId, UserId } from '../../core/ids.js';
import { firstVersionId, wholeTextOf, type Post } from '../../core/post.js';
import type { Tx } from '../../database/engine.js';
import { findPost } from '../../stores/posts.js';
import { findOpenCase } from '../../stores/report-cases.js';
import { insertNotice } from '../../stores/user-notices.js';
import { findUser } from '../../stores/users.js';
import { asOperator } from '../accounts/authority.js';
import { recordAction } from '../audit/record-action.js';
import { deletePostWithConsequences } from '../posts/delete-post.js';
import type { ServiceDeps } from '../service-deps.js';
import { enqueueRetraction } from '../timelines/home-writes.js';
import { decide } from './decide.js';
import { requiredOperatorText } from './operator-text.js';

const MAX_EXCERPT = 280;

/** Returns a post regardless of visibility, for operators; undefined if there is none. */
export function findRemovable(
  { engine }: Pick<ServiceDeps, 'engine'>,
  id: PostId,
): Promise<Post | undefined> {
  return findPost(engine, id);
}

/**
 * Removes a post as if its author had deleted it, tells the author why, closes its case, and adds an entry to the audit
 * log. Throws `forbidden` unless the user is an operator, `route-not-found` if there is no such post, and
 * `invalid-request` without a reason.
 */
export async function removePost(
  deps: ServiceDeps,
  operatorId: UserId,
  id: PostId,
  text: string,
): Promise<void> {
  const reason = requiredOperatorText('reason', text);
  return asOperator(deps, operatorId, 'remove post', async (tx) => {
    const post = await findPost(tx, id);
    if (!post) throw new PipitError({ code: 'route-not-found' });
    await enqueueRetraction(tx, deps, await deletePostWithConsequences(tx, post, deps.clock()));
    await tellAuthor(tx, deps, post, reason);
    const firstId = firstVersionId(post);
    const open = await findOpenCase(tx, { kind: 'post', id: firstId });
    await decide(tx, deps, open ? [open] : [], 'removed');
    const author = await findUser(tx, post.authorId);
    const name = author ? `post of @${author.username}` : 'post';
    const target = { kind: 'post', id: firstId, name } as const;
    await recordAction(tx, deps, operatorId, { action: 'post.remove', target, reason });
  });
}

async function tellAuthor(tx: Tx, { ids, clock }: ServiceDeps, post: Post, reason: string): Promise<void> {
  const characters = [...wholeTextOf(post).text];
  await insertNotice(tx, {
    id: ids.next<NoticeId>(),
    userId: post.authorId,
    kind: 'post_removed',
    postId: firstVersionId(post),
    excerpt: characters.slice(0, MAX_EXCERPT).join('') + (characters.length > MAX_EXCERPT ? '…' : ''),
    reason,
    createdAtMs: clock(),
  });
}
