import { DEFAULT_PICTURES_PATH } from '../core/default-picture.js';

/** The path of the web app's manifest. */
export const MANIFEST_PATH = '/manifest.webmanifest';

/** The id for which the default picture has the colour of the site. */
const SITE = 21;

/**
 * Returns the path of the site's icon, with the initials of its name, in one of the sizes that the pictures of users
 * have. It fills its square, and the letters are within the safe zone of maskable icons (w3.org/TR/appmanifest).
 */
export function iconPath(initials: string, side: number): string {
  return `${DEFAULT_PICTURES_PATH}/${SITE}/${initials}_${side}x${side}.png`;
}
