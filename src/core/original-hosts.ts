/** The hosts of the original platform, to which unmodified clients send their requests. */
export const ORIGINAL_HOSTS: readonly string[] = [
  'api.x.com',
  'api.twitter.com',
  'upload.x.com',
  'upload.twitter.com',
  'x.com',
  'twitter.com',
  'www.x.com',
  'www.twitter.com',
];
