import type { Migration } from './migration.js';

/** Reports from members, what operators do about them, and what the users concerned are told. */
export const moderation: Migration = {
  version: 47,
  name: 'moderation',
  statements: (ddl) => [
    // target_id: the first version of a post, or a user. shown: JSON, the target at its first report.
    `CREATE TABLE report_cases (
      id ${ddl.idKey},
      kind TEXT NOT NULL,
      target_id BIGINT NOT NULL,
      user_id BIGINT NOT NULL,
      shown TEXT NOT NULL,
      opened_at BIGINT NOT NULL,
      closed_at BIGINT,
      decision TEXT
    )`,
    'CREATE UNIQUE INDEX report_cases_open ON report_cases (target_id, kind) WHERE closed_at IS NULL',
    'CREATE INDEX report_cases_by_state ON report_cases (closed_at, id)',
    'CREATE INDEX report_cases_by_user ON report_cases (user_id)',
    `CREATE TABLE reports (
      id ${ddl.idKey},
      case_id BIGINT NOT NULL,
      reporter_id BIGINT NOT NULL,
      reason TEXT NOT NULL,
      comment TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    'CREATE UNIQUE INDEX reports_once ON reports (case_id, reporter_id)',
    'CREATE INDEX reports_by_reporter ON reports (reporter_id)',
    // Entries are never changed or deleted. operator_id: absent for the command line. Names are those of the time.
    `CREATE TABLE audit_log (
      id ${ddl.idKey},
      created_at BIGINT NOT NULL,
      operator_id BIGINT,
      operator_name TEXT NOT NULL,
      action TEXT NOT NULL,
      target_kind TEXT,
      target_id BIGINT,
      target_name TEXT NOT NULL,
      reason TEXT NOT NULL,
      detail TEXT NOT NULL
    )`,
    'CREATE INDEX audit_log_by_operator ON audit_log (operator_id, id)',
    'CREATE INDEX audit_log_by_action ON audit_log (action, id)',
    'CREATE INDEX audit_log_by_target ON audit_log (target_id, target_kind, id)',
    `CREATE TABLE user_notices (
      id ${ddl.idKey},
      user_id BIGINT NOT NULL,
      kind TEXT NOT NULL,
      post_id BIGINT,
      excerpt TEXT NOT NULL,
      reason TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      read_at BIGINT
    )`,
    'CREATE INDEX user_notices_by_user ON user_notices (user_id, id)',
    `CREATE TABLE suspensions (
      user_id ${ddl.idKey},
      reason TEXT NOT NULL,
      suspended_at BIGINT NOT NULL
    )`,
  ],
};
