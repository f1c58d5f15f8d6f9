import type { UserId } from '../core/ids.js';
import { existsQuery, rowChange } from '../database/table.js';

/** Reports whether a user dismissed the first steps. */
export const areStepsDismissed = existsQuery<[userId: UserId]>(
  'SELECT 1 FROM dismissed_first_steps WHERE user_id = ?',
);

/** Dismisses the first steps of a user. Returns false if they are dismissed. */
export const dismissSteps = rowChange<[userId: UserId, nowMs: number]>(
  'INSERT INTO dismissed_first_steps (user_id, dismissed_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
);
