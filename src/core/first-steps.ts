/** What a new operator or member does first (docs/api/pipit.md#first-steps). */
export const FIRST_STEPS = ['name_server', 'invite_people', 'follow_people', 'write_post'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** The first steps of a user, and which of them are done. */
export interface FirstSteps {
  readonly isDismissed: boolean;
  readonly steps: readonly { readonly id: FirstStep; readonly isDone: boolean }[];
}
