import { defaultPictureUrl } from '../core/default-picture.js';
import type { User } from '../core/user.js';

/** Returns the path of an account's picture on this server: what it uploaded, or a generated one. */
export function accountPicture(user: User): string {
  const { profileImageId, profileImageUrl = '' } = user;
  if (profileImageId === undefined) return defaultPictureUrl('', user);
  return profileImageUrl.slice(profileImageUrl.indexOf('/media/'));
}
