import type { Decision, ReportReason } from '../core/report.js';

/** The reasons of reports in words, in the order of forms. */
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

/** The decisions about reports in words. */
export const DECISION_WORDS: Readonly<Record<Decision, string>> = {
  dismissed: 'Dismissed',
  removed: 'Post removed',
  suspended: 'User suspended',
};
