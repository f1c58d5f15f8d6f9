import { type Violation, violation } from '../../core/errors.js';
import { PROFILE_LIMITS } from '../../core/limits.js';
import { isPlainLine, isVisible } from '../../core/plain-line.js';
import { isReservedUsername } from '../../core/reserved-usernames.js';
import { countCodePoints } from '../../core/unicode.js';
import { USERNAME_PATTERN, type User } from '../../core/user.js';

/** Shorter passwords can be cracked offline if a hash leaks. */
export const MIN_PASSWORD_LENGTH = 10;

/** Longer passwords are refused without hashing. */
export const MAX_PASSWORD_LENGTH = 1000;

const UNPRINTABLE_TEXT = /[^\P{Cc}\n\r\t]/u;

/** The profile fields, as typed. */
export type ProfileInput = Required<Pick<User, 'name' | 'description' | 'location' | 'url'>>;

/** Returns the violations of a new username. */
export function usernameFaults(username: string): Violation[] {
  if (!USERNAME_PATTERN.test(username))
    return [
      violation('username', [username], 'A username must have 1 to 15 letters, digits and underscores.'),
    ];
  return isReservedUsername(username)
    ? [violation('username', [username], 'This username is reserved for pages of this server.')]
    : [];
}

/** Returns the violations of a new password, without its value. */
export function passwordFaults(password: string, username: string): Violation[] {
  const length = countCodePoints(password);
  if (length < MIN_PASSWORD_LENGTH) {
    return [violation('password', [], `A password must have at least ${MIN_PASSWORD_LENGTH} characters.`)];
  }
  if (password.length > MAX_PASSWORD_LENGTH) {
    return [violation('password', [], `A password must have at most ${MAX_PASSWORD_LENGTH} characters.`)];
  }
  const isNamed = password.toLowerCase() === username.toLowerCase();
  const isOneLetter = new Set(password).size === 1;
  return isNamed || isOneLetter ? [violation('password', [], 'This password is too easy to guess.')] : [];
}

/** Returns the violations of a display name. */
export function nameFaults(name: string): Violation[] {
  const { name: max } = PROFILE_LIMITS;
  if (!isVisible(name) || countCodePoints(name) > max) {
    return [violation('name', [name], `A name must have 1 to ${max} characters.`)];
  }
  return isPlainLine(name)
    ? []
    : [violation('name', [], 'A name must not contain control or invisible characters.')];
}

/** Returns the violations of a profile. */
export function profileFaults({ name, description, location, url }: ProfileInput): Violation[] {
  const { description: maxDescription, location: maxLocation } = PROFILE_LIMITS;
  const faults = nameFaults(name);
  if (countCodePoints(description) > maxDescription || UNPRINTABLE_TEXT.test(description)) {
    faults.push(
      violation(
        'description',
        [description],
        `A description must have at most ${maxDescription} characters.`,
      ),
    );
  }
  if (countCodePoints(location) > maxLocation || !isPlainLine(location)) {
    faults.push(violation('location', [location], `A location must have at most ${maxLocation} characters.`));
  }
  if (url !== '' && !isWebAddress(url)) {
    faults.push(
      violation('url', [url], 'A website must start with https:// or http:// and must not contain spaces.'),
    );
  }
  return faults;
}

function isWebAddress(url: string): boolean {
  if (url.length > PROFILE_LIMITS.url || /\s/.test(url) || !isPlainLine(url) || !URL.canParse(url)) {
    return false;
  }
  return ['http:', 'https:'].includes(new URL(url).protocol);
}
