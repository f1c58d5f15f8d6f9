import type { Migration } from './migration.js';

/** Uploaded pictures and banners of profiles, which are media that are attached to their user. */
export const profilePictures: Migration = {
  version: 53,
  name: 'profile-pictures',
  statements: () => [
    'ALTER TABLE users ADD COLUMN profile_banner_url TEXT',
    // The media behind the two addresses; none if these are of another server.
    'ALTER TABLE users ADD COLUMN profile_image_id BIGINT',
    'ALTER TABLE users ADD COLUMN profile_banner_id BIGINT',
  ],
};
