import { FIRST_STEPS } from '../../../core/first-steps.js';
import { flag, fullObject, listOf, oneOf } from '../../../core/json-schema.js';
import { type AnyEndpoint, endpoint, perQuarterHour, userRead, userWrite } from '../../endpoint.js';
import { changeEndpoint } from '../../change-endpoint.js';

/** See docs/api/pipit.md#first-steps. */

const common = { tag: 'Pipit', path: '/_pipit/first_steps' } as const;

export const firstStepEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'getFirstSteps',
    summary: 'What the user should do first, and what of it is done',
    access: userRead(),
    rateLimits: perQuarterHour({ user: 900 }),
    response: fullObject({
      data: fullObject({
        is_dismissed: flag,
        steps: listOf(fullObject({ id: oneOf(...FIRST_STEPS), is_done: flag })),
      }),
    }),
    handler: async ({ firstSteps }, { principal }) => {
      const { isDismissed, steps } = await firstSteps.of(principal.userId);
      return {
        data: { is_dismissed: isDismissed, steps: steps.map(({ id, isDone }) => ({ id, is_done: isDone })) },
      };
    },
  }),
  changeEndpoint({
    ...common,
    operationId: 'dismissFirstSteps',
    summary: 'Dismisses the first steps of the user; idempotent',
    method: 'DELETE',
    access: userWrite(),
    rateLimits: perQuarterHour({ user: 50 }),
    answers: { dismissed: true },
    run: ({ firstSteps }, { principal }) => firstSteps.dismiss(principal),
  }),
];
