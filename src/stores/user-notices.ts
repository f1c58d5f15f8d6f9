import type { NoticeId, UserId } from '../core/ids.js';
import type { Notice } from '../core/notice.js';
import type { Page, PageRequest } from '../core/page.js';
import type { Queryable } from '../database/engine.js';
import { asId, asNumber, asOptionalId, asOptionalNumber, asText, sql } from '../database/sql.js';
import { defineTable, rowsChange } from '../database/table.js';

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
export const markNoticesRead = rowsChange<[readAtMs: number, UserId, upToId: NoticeId]>(
  'UPDATE user_notices SET read_at = ? WHERE user_id = ? AND id <= ? AND read_at IS NULL',
);
