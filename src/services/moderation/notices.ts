import type { UserPrincipal } from '../../core/access.js';
import type { NoticeId, UserId } from '../../core/ids.js';
import type { PageRequest } from '../../core/page.js';
import { markNoticesRead, pageNotices } from '../../stores/user-notices.js';
import type { ServiceDeps } from '../service-deps.js';

export type NoticeService = ReturnType<typeof createNoticeService>;

/** Creates the service for what users read about decisions of operators (docs/api/pipit.md#notices). */
export function createNoticeService({ engine, clock }: Pick<ServiceDeps, 'engine' | 'clock'>) {
  return {
    /** Lists the notices of a user, newest first. */
    list: (userId: UserId, request: PageRequest) => pageNotices(engine, userId, request),
    /** Marks the notices of the user up to this one as read. Idempotent. */
    markRead: async ({ userId }: UserPrincipal, upToId: NoticeId): Promise<void> => {
      await engine.tx(
        'read notices',
        (tx) => markNoticesRead(tx, clock(), userId, upToId),
        // One statement, which changes only rows of this user.
        'read-committed',
      );
    },
  };
}
