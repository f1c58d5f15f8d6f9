import { currentUser } from '../current-user.js';
import { removeText, storedText, storeText } from '../browser-storage.js';
import { removeDrafts } from './draft-store.js';

/** Names the account that signs out, until the next page shows whether it did. */
const LEAVING = 'signs out';

/** Stands for all accounts of the browser. */
const ALL = '*';

/** Removes the drafts of an account that signs out, when the next page no longer acts as it. */
export function forgetDraftsAtSignOut(): void {
  const left = storedText(LEAVING);
  if (left !== null) {
    const user = currentUser();
    removeText(LEAVING);
    if (left === ALL && user === '') removeDrafts();
    else if (left !== ALL && left !== user) removeDrafts(left);
  }
  document.addEventListener('submit', ({ target, submitter }) => {
    if (!(target instanceof HTMLFormElement) || !target.action.endsWith('/sign-out')) return;
    const isAll = submitter instanceof HTMLButtonElement && submitter.name === 'all';
    storeText(LEAVING, isAll ? ALL : currentUser());
  });
}
