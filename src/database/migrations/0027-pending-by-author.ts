import type { Migration } from './migration.js';

/** The pending posts by author, for readers who follow them. */
export const pendingByAuthor: Migration = {
  version: 27,
  name: 'pending-by-author',
  statements: () => ['CREATE INDEX pending_fan_outs_author ON pending_fan_outs (author_id, post_id)'],
};
