import { date, id, text } from '../../core/json-schema.js';
import type { SavedSearch } from '../../core/saved-search.js';
import { presentDate } from '../present/dates.js';
import { required, type Fields } from './field.js';

/** A saved search (docs/api/pipit.md#saved-searches). */
export const savedSearchFields = {
  id: required(id, (search) => String(search.id)),
  query: required(text, ({ query }) => query),
  created_at: required(date, ({ createdAtMs }) => presentDate(createdAtMs)),
} satisfies Fields<SavedSearch>;
