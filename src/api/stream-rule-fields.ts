import type { AppAccess } from '../core/access.js';
import { count, fullObject, id, listOf, object, schemaOf, text } from '../core/json-schema.js';
import { field, required, type Fields } from '../views/wire/field.js';

/** A rule of the filtered stream (docs/api/streams.md#rules). */
export const streamRule = object({ id, value: text, tag: text }, ['id', 'value']);

/** A rule that was not added, or the fault of a request about rules (docs/api/streams.md#rules). */
export const ruleError = object({ value: text, id, title: text, details: listOf(text), type: text }, [
  'title',
  'type',
]);

/** How many rules an app has, and may have. */
export interface RuleCounts {
  readonly rules: number;
  readonly maxRules: number;
}

/** Newer clients expect these counts as texts. */
const digits = schemaOf('string', { pattern: '^[0-9]+$', example: '12' });
const ofApp = fullObject({ client_app_id: id, rule_count: count });

const appCount = ({ rules }: RuleCounts, app: Pick<AppAccess, 'id'>) => ({
  client_app_id: String(app.id),
  rule_count: rules,
});

/** The number of rules of a project. Each app is a project of its own. */
export const ruleCountFields = {
  cap_per_client_app: required(digits, ({ maxRules }) => String(maxRules)),
  cap_per_project: required(digits, ({ maxRules }) => String(maxRules)),
  client_app_rules_count: required(ofApp, appCount),
  project_rules_count: required(digits, ({ rules }) => String(rules)),
  all_project_client_apps: field(listOf(ofApp), (counts, app) => [appCount(counts, app)]),
} satisfies Fields<RuleCounts, Pick<AppAccess, 'id'>>;
