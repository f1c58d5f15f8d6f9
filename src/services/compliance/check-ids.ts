import {
  reasonOfAccount,
  reasonOfDeletedPost,
  reasonOfPost,
  type ComplianceReason,
  type ComplianceSubject,
} from '../../core/compliance.js';
import type { ComplianceJobId, PostId, UserId } from '../../core/ids.js';
import {
  findPostAuthors,
  findScrubbedPostIds,
  insertFindings,
  type FindingSource,
} from '../../stores/compliance-findings.js';
import { deactivatedAmong } from '../../stores/deactivated-users.js';
import { findDeletedPosts } from '../../stores/deleted-posts.js';
import { findDeletedUsers } from '../../stores/deleted-users.js';
import type { Tx } from '../../database/engine.js';
import { findAccountStates } from '../../stores/users.js';

/** An id with a compliance event, and the table that holds the event's times. */
interface Finding {
  readonly source: FindingSource;
  readonly reason: ComplianceReason;
  readonly id: bigint;
}

/**
 * Stores a finding for each id that has a compliance event. Ids of public, stored objects and ids this server never
 * stored get no finding (docs/api/compliance.md). An id yields one finding, even if it was submitted several times.
 */
export async function checkIds(
  tx: Tx,
  jobId: ComplianceJobId,
  subject: ComplianceSubject,
  ids: readonly bigint[],
): Promise<void> {
  const found =
    subject === 'posts' ? await checkPosts(tx, ids as PostId[]) : await checkUsers(tx, ids as UserId[]);
  for (const { source, reason, ids: group } of grouped(found)) {
    await insertFindings(tx, jobId, source, reason, group);
  }
}

/** Groups findings by source and reason, in order of first occurrence. */
function grouped(findings: readonly Finding[]): Iterable<Omit<Finding, 'id'> & { readonly ids: bigint[] }> {
  const groups = new Map<string, Omit<Finding, 'id'> & { readonly ids: bigint[] }>();
  for (const { source, reason, id } of findings) {
    const key = `${source} ${reason}`;
    const group = groups.get(key) ?? { source, reason, ids: [] };
    group.ids.push(id);
    groups.set(key, group);
  }
  return groups.values();
}

/** Lists the findings of posts. Only the first finding of a post is kept, so deletion precedes geo scrubbing. */
async function checkPosts(tx: Tx, ids: readonly PostId[]): Promise<Finding[]> {
  const scrubbed = await findScrubbedPostIds(tx, ids);
  return [
    ...(await checkDeletedPosts(tx, ids)),
    ...(await checkStoredPosts(tx, ids)),
    ...scrubbed.map((id) => ({ source: 'scrubbed_posts', reason: 'scrub_geo', id }) as const),
  ];
}

async function checkDeletedPosts(tx: Tx, ids: readonly PostId[]): Promise<Finding[]> {
  const deleted = [...(await findDeletedPosts(tx, ids)).values()];
  const accounts = await findDeletedUsers(tx, unique(deleted.map(({ authorId }) => authorId)));
  return deleted.map(({ id, authorId, deletedAtMs }) => {
    const reason = reasonOfDeletedPost(deletedAtMs, accounts.get(authorId)?.deletedAtMs);
    return { source: 'deleted_posts', reason, id };
  });
}

async function checkStoredPosts(tx: Tx, ids: readonly PostId[]): Promise<Finding[]> {
  const posts = [...(await findPostAuthors(tx, ids)).values()];
  const originalIds = posts.flatMap(({ repostedPostId }) => repostedPostId ?? []);
  const originals = await findPostAuthors(tx, unique(originalIds));
  const authorIds = [...posts, ...originals.values()].map(({ authorId }) => authorId);
  const authors = await findAccountStates(tx, unique(authorIds));
  const deactivated = await deactivatedAmong(tx, [...authors.keys()]);
  return posts.flatMap(({ id, authorId, repostedPostId }) => {
    const original = repostedPostId === undefined ? undefined : originals.get(repostedPostId);
    const originalAuthor = original && authors.get(original.authorId);
    const reason = deactivated.has(authorId)
      ? 'deactivated'
      : reasonOfPost(authors.get(authorId), originalAuthor);
    return reason === undefined ? [] : { source: 'posts' as const, reason, id };
  });
}

async function checkUsers(tx: Tx, ids: readonly UserId[]): Promise<Finding[]> {
  const accounts = await findAccountStates(tx, unique(ids));
  const deactivated = await deactivatedAmong(tx, [...accounts.keys()]);
  const deleted = await findDeletedUsers(tx, ids);
  return [
    ...[...accounts].flatMap(([id, account]) => {
      const reason = deactivated.has(id) ? 'deactivated' : reasonOfAccount(account);
      return reason === undefined ? [] : { source: 'users' as const, reason, id };
    }),
    ...[...deleted.keys()]
      .filter((id) => !accounts.has(id))
      .map((id) => ({ source: 'deleted_users', reason: 'deactivated', id }) as const),
  ];
}

function unique<T extends bigint>(ids: readonly T[]): T[] {
  return [...new Set(ids)];
}
