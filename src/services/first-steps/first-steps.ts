import type { UserPrincipal } from '../../core/access.js';
import type { FirstSteps } from '../../core/first-steps.js';
import type { UserId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { pageAuditLog } from '../../stores/audit-log.js';
import { areStepsDismissed, dismissSteps } from '../../stores/first-steps.js';
import { findInstance } from '../../stores/instance.js';
import { operatorsAmong } from '../../stores/operators.js';
import { findUserCounts, pageUserIds } from '../../stores/users.js';
import type { ServiceDeps } from '../service-deps.js';

export type FirstStepService = ReturnType<typeof createFirstStepService>;

/** Creates the service for what new operators and members do first (docs/api/pipit.md#first-steps). */
export function createFirstStepService({ engine, clock }: Pick<ServiceDeps, 'engine' | 'clock'>) {
  return {
    /** Returns the first steps of a user. Reads a few rows by their keys. */
    of: async (userId: UserId): Promise<FirstSteps> => {
      const counts = (await findUserCounts(engine, [userId])).get(userId);
      const write = { id: 'write_post', isDone: (counts?.posts ?? 0) > 0 } as const;
      const isDismissed = await areStepsDismissed(engine, userId);
      if (!(await operatorsAmong(engine, [userId])).has(userId)) {
        const follow = { id: 'follow_people', isDone: (counts?.following ?? 0) > 0 } as const;
        return { isDismissed, steps: [follow, write] };
      }
      const hasName = ((await findInstance(engine))?.name ?? '') !== '';
      return {
        isDismissed,
        steps: [
          { id: 'name_server', isDone: hasName },
          { id: 'invite_people', isDone: await hasOthers(engine) },
          write,
        ],
      };
    },
    /** Dismisses the first steps of the user for good. Idempotent. */
    dismiss: async ({ userId }: UserPrincipal): Promise<void> => {
      await engine.tx('dismiss first steps', (tx) => dismissSteps(tx, userId, clock()));
    },
  };
}

/** Reports whether there is a second user, or someone was invited. */
async function hasOthers(engine: Engine): Promise<boolean> {
  if ((await pageUserIds(engine, 0n as UserId, 2)).length > 1) return true;
  const { items } = await pageAuditLog(engine, { action: 'invitation.create' }, { limit: 1 });
  return items.length > 0;
}
