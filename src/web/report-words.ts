import { REPORT_REASONS, type Decision, type ReportReason } from '../core/report.js';

/** The reasons of reports in words. */
export const REASON_WORDS: Readonly<Record<ReportReason, string>> = {
  spam: 'Spam or a scam',
  abuse: 'Insults, threats or harassment',
  hate: 'Hate against a group of people',
  sensitive: 'Violence or nudity without a warning',
  impersonation: 'Pretends to be someone else',
  self_harm: 'Suggests self-harm',
  illegal: 'Against the law',
  other: 'Something else',
};

export const REASON_CHOICES = REPORT_REASONS.map((value) => ({ value, label: REASON_WORDS[value] }));

/** The decisions about reports in words. */
export const DECISION_WORDS: Readonly<Record<Decision, string>> = {
  dismissed: 'Dismissed',
  removed: 'Post removed',
  suspended: 'User suspended',
};
