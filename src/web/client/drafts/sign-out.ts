import { currentUser } from '../current-user.js';
import { removeText, storedText, storeText } from '../browser-storage.js';
import { removeDrafts } from './draft-store.js';

/** Names the account that signs out, until the next page shows whether it did. */
const LEAVING = 'signs out';

/** Stands for all accounts of the browser. */
const ALL = '*';

/** How long a sign-out may take: until then, another tab may show a page of the account. */
const SIGN_OUT_MS = 10_000;

/** Removes the drafts of an account that signs out, when the next page no longer acts as it. */
export function forgetDraftsAtSignOut(): void {
  finishSignOut();
  document.addEventListener('submit', ({ target, submitter }) => {
    if (!(target instanceof HTMLFormElement) || !target.action.endsWith('/sign-out')) return;
    const isAll = submitter instanceof HTMLButtonElement && submitter.name === 'all';
    storeText(LEAVING, `${isAll ? ALL : currentUser()} ${Date.now()}`);
  });
}

function finishSignOut(): void {
  const [left, at] = storedText(LEAVING)?.split(' ') ?? [];
  if (left === undefined) return;
  const user = currentUser();
  const isOut = left === ALL ? user === '' : user !== left;
  if (isOut) removeDrafts(left === ALL ? undefined : left);
  if (isOut || Date.now() - Number(at) > SIGN_OUT_MS) removeText(LEAVING);
}
