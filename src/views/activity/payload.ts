import type { ActivitySubject } from '../../core/activity-event.js';
import type { ActivityType } from '../../core/activity.js';
import type { ExactJson } from '../../core/exact-json.js';
import type { UserId } from '../../core/ids.js';
import type { Envelope } from '../includes.js';

/** What an event says, and the objects that it refers to. */
export interface Payload {
  readonly payload: ExactJson;
  readonly includes?: Envelope<unknown>['includes'];
}

/** An event and its viewer. */
export interface Showing {
  /** Absent for a subscription of an app. */
  readonly viewerId: UserId | undefined;
  readonly type: ActivityType;
  readonly atMs: number;
}

/** The subject of a kind. */
export type SubjectOf<K extends ActivitySubject['kind']> = Extract<ActivitySubject, { readonly kind: K }>;
