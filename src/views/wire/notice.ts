import { date, flag, id, oneOf, text } from '../../core/json-schema.js';
import type { Notice } from '../../core/notice.js';
import { presentDate } from '../present/dates.js';
import { byDefault, required, type Fields } from './field.js';

/** A notice of the operators (docs/api/pipit.md#notices). */
export const noticeFields = {
  id: required(id, (notice) => String(notice.id)),
  type: required(oneOf('post_removed'), ({ kind }) => kind),
  post_id: byDefault(id, ({ postId }) => (postId === undefined ? undefined : String(postId))),
  excerpt: required(text, ({ excerpt }) => excerpt),
  reason: required(text, ({ reason }) => reason),
  created_at: required(date, ({ createdAtMs }) => presentDate(createdAtMs)),
  is_read: required(flag, ({ readAtMs }) => readAtMs !== undefined),
} satisfies Fields<Notice>;
