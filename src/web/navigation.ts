import type { SignedIn } from '../services/accounts/web-sessions.js';
import type { NavigationLink } from './page.js';

/** The root paths of signed-in pages. They contain a hyphen, so they cannot collide with usernames. */
export const ACCOUNT_PATH = '/my-account';
export const CONSOLE_PATH = '/my-apps';
export const OPERATOR_PATH = '/operator-desk';

/** Returns the links of the top bar for a signed-in user. */
export function navigationOf({ isOperator }: SignedIn): readonly NavigationLink[] {
  return [
    { path: ACCOUNT_PATH, label: 'Account' },
    { path: CONSOLE_PATH, label: 'Apps' },
    ...(isOperator ? [{ path: OPERATOR_PATH, label: 'Operator' }] : []),
  ];
}
