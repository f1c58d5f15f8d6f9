import type { SignedIn } from '../services/accounts/web-sessions.js';
import type { NavigationLink } from './page.js';

/** Where the pages for who is signed in begin. No username has a hyphen, so that these are nobody's pages. */
export const ACCOUNT_PATH = '/my-account';
export const CONSOLE_PATH = '/my-apps';
export const OPERATOR_PATH = '/operator-desk';

/** The links of the top bar for somebody who is signed in. */
export function navigationOf({ isOperator }: SignedIn): readonly NavigationLink[] {
  return [
    { path: ACCOUNT_PATH, label: 'Account' },
    { path: CONSOLE_PATH, label: 'Apps' },
    ...(isOperator ? [{ path: OPERATOR_PATH, label: 'Operator' }] : []),
  ];
}
