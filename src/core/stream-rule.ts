import type { AppId, StreamRuleId } from './ids.js';

/** A rule of an app's filtered stream (docs/api/streams.md#rules). */
export interface StreamRule {
  readonly id: StreamRuleId;
  readonly appId: AppId;
  readonly value: string;
  readonly tag?: string;
  readonly createdAtMs: number;
}
