import type { Answer } from '../../../http/answer.js';
import type { Html } from '../../../api/reference/html.js';
import { ACCOUNT_PATH } from '../../navigation.js';
import { sectionPage, type Section, type SectionPage } from '../../section-page.js';
import type { Visit } from '../../visit.js';

/** The paths of the account pages. */
export const PATHS = {
  profile: ACCOUNT_PATH,
  privacy: `${ACCOUNT_PATH}/privacy`,
  followRequests: `${ACCOUNT_PATH}/follow-requests`,
  apps: `${ACCOUNT_PATH}/connected-apps`,
  password: `${ACCOUNT_PATH}/password`,
  sessions: `${ACCOUNT_PATH}/sessions`,
  closing: `${ACCOUNT_PATH}/closing`,
} as const;

const SECTION: Section = {
  label: 'Your account',
  links: [
    { path: PATHS.profile, label: 'Profile' },
    { path: PATHS.privacy, label: 'Privacy' },
    { path: PATHS.followRequests, label: 'Follow requests' },
    { path: PATHS.apps, label: 'Connected apps' },
    { path: PATHS.password, label: 'Password' },
    { path: PATHS.sessions, label: 'Sessions' },
    { path: PATHS.closing, label: 'Close account' },
  ],
};

export function accountPage(visit: Visit, options: SectionPage, body: Html): Answer {
  return sectionPage(visit, SECTION, options, body);
}
