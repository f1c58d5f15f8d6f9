import type { AccessLevel, Permission, Track } from '../core/access.js';

/** Display names of permissions, access levels and tracks. */
export const PERMISSION_WORDS: Readonly<Record<Permission, string>> = {
  read: 'Read',
  read_write: 'Read and write',
  read_write_dm: 'Read, write and direct messages',
};

export const LEVEL_WORDS: Readonly<Record<AccessLevel, string>> = {
  essential: 'Essential',
  basic: 'Basic',
  elevated: 'Elevated',
};

export const TRACK_WORDS: Readonly<Record<Track, string>> = {
  standard: 'Standard',
  academic_research: 'Academic research',
};
