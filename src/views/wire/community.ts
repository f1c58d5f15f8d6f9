import type { CountedCommunity } from '../../core/community.js';
import { JOIN_POLICIES } from '../../core/community.js';
import { count, date, id, oneOf, text } from '../../core/json-schema.js';
import { presentDate } from '../present/dates.js';
import { field, required, type Fields } from './field.js';

/** A community (docs/api/objects.md#community). All are public: every visitor may read their posts. */
export const communityFields = {
  id: required(id, (community) => String(community.id)),
  name: required(text, ({ name }) => name),
  access: field(oneOf('Public'), () => 'Public'),
  created_at: field(date, ({ createdAtMs }) => presentDate(createdAtMs)),
  description: field(text, ({ description }) => description),
  join_policy: field(oneOf(...JOIN_POLICIES), ({ joinPolicy }) => joinPolicy),
  member_count: field(count, ({ members }) => members),
} satisfies Fields<CountedCommunity>;
