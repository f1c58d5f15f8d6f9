import { pairConversation } from '../../core/direct-message.js';
import type { UserId } from '../../core/ids.js';
import type { User, UserCounts } from '../../core/user.js';
import { blockedAmong, blockersAmong } from '../../stores/blocks.js';
import { findConversations } from '../../stores/dm-conversations.js';
import type { Queryable } from '../../database/engine.js';
import { followedAmong, followersAmong, requestedAmong, requestersAmong } from '../../stores/follows.js';
import { mutedAmong } from '../../stores/mutes.js';
import { Lookup, type ViewReads } from './reads.js';
import type { Trace } from './trace.js';
import type { UserExtras, UserRelation } from '../wire/user.js';

/** Looks users up for one response, see `Lookup`. */
export class UserLookup {
  private readonly users: Lookup<UserId, User>;
  private readonly counts: Lookup<UserId, UserCounts>;
  private relations: Lookup<UserId, UserRelation> | undefined;

  constructor(
    private readonly reads: ViewReads,
    private readonly viewerId: UserId | undefined,
    private readonly trace: Trace,
  ) {
    this.users = new Lookup(reads.users, trace);
    this.counts = new Lookup(reads.userCounts, trace);
  }

  find(id: UserId): User | undefined {
    return this.users.find(id);
  }

  countsOf(id: UserId): UserCounts | undefined {
    return this.counts.find(id);
  }

  /** Returns undefined if no field needs extras. A response has the same fields for all users. */
  extrasOf(id: UserId, fields: ReadonlySet<string>): UserExtras | undefined {
    const { viewerId } = this;
    const isCounted = fields.has('public_metrics');
    const counts = isCounted ? this.countsOf(id) : undefined;
    const isViewer = fields.has('subscription_type') ? id === viewerId : undefined;
    if (!wantsRelation(fields, viewerId)) {
      return isCounted || isViewer !== undefined ? { counts, isViewer } : undefined;
    }
    this.relations ??= new Lookup(
      {
        find: () => undefined,
        peek: () => undefined,
        readAll: (ids) => loadRelations(this.reads.db, viewerId, ids, fields),
      },
      this.trace,
    );
    return { counts, isViewer, relation: this.relations.find(id) };
  }

  isMissingValues(): boolean {
    const { users, counts, relations } = this;
    return users.isMissingValues() || counts.isMissingValues() || relations?.isMissingValues() === true;
  }

  /** Reads the missing counts and relations. */
  async fetchExtras(): Promise<void> {
    await Promise.all([this.counts.fetch(), this.relations?.fetch()]);
  }

  /** Reads the missing users, and all users that were fetched before again. */
  async fetchAgain(): Promise<void> {
    await this.users.fetchAgain();
  }
}

function wantsRelation(fields: ReadonlySet<string>, viewerId: UserId | undefined): viewerId is UserId {
  return viewerId !== undefined && (fields.has('connection_status') || fields.has('receives_your_dm'));
}

async function loadRelations(
  db: Queryable,
  viewerId: UserId,
  ids: readonly UserId[],
  fields: ReadonlySet<string>,
): Promise<Map<UserId, UserRelation>> {
  const pairOf = (id: UserId) => pairConversation(viewerId, id).id;
  const pairs = fields.has('receives_your_dm') ? ids.map(pairOf) : [];
  const following = await followedAmong(db, viewerId, ids);
  const followedBy = await followersAmong(db, viewerId, ids);
  const requestSent = await requestedAmong(db, viewerId, ids);
  const requestReceived = await requestersAmong(db, viewerId, ids);
  const blocking = await blockedAmong(db, viewerId, ids);
  const blockedBy = await blockersAmong(db, viewerId, ids);
  const muting = await mutedAmong(db, viewerId, ids);
  const conversations = await findConversations(db, pairs);
  const relationTo = (id: UserId): UserRelation => ({
    isSelf: id === viewerId,
    following: following.has(id),
    followedBy: followedBy.has(id),
    followRequestSent: requestSent.has(id),
    followRequestReceived: requestReceived.has(id),
    blocking: blocking.has(id),
    blockedBy: blockedBy.has(id),
    muting: muting.has(id),
    hasConversation: conversations.has(pairOf(id)),
  });
  return new Map(ids.map((id) => [id, relationTo(id)]));
}
