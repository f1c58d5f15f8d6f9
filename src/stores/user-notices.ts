import type { NoticeId, UserId } from '../core/ids.js';
import type { Notice } from '../core/notice.js';
import type { Page, PageRequest } from '../core/page.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, asOptionalId, asOptionalNumber, asText, sql } from '../database/sql.js';
import { defineTable } from '../database/table.js';

const NOTICES = defineTable<Notice, NoticeId>('user_notices', 'id', {
  id: ['id', asId],
  userId: ['user_id', asId],
  kind: ['kind', asText],
  postId: ['post_id', asOptionalId],
  excerpt: ['excerpt', asText],
  reason: ['reason', asText],
  createdAtMs: ['created_at', asNumber],
  readAtMs: ['read_at', asOptionalNumber],
});

export const insertNotice = NOTICES.insert;

/** Returns a page of the notices of a user, newest first. */
export function pageNotices(db: Queryable, userId: UserId, request: PageRequest): Promise<Page<Notice>> {
  return NOTICES.page(db, sql`user_id = ${userId}`, request);
}

/** Marks the notices of a user up to one as read. */
export async function markNoticesRead(
  tx: Tx,
  userId: UserId,
  upToId: NoticeId,
  nowMs: number,
): Promise<void> {
  await tx.run(sql`
    UPDATE user_notices SET read_at = ${nowMs}
    WHERE user_id = ${userId} AND id <= ${upToId} AND read_at IS NULL`);
}
