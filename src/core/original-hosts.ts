/** The hosts of the original platform, to which unmodified clients send their requests. */
export const ORIGINAL_HOSTS = [
  'api.x.com',
  'api.twitter.com',
  'upload.x.com',
  'upload.twitter.com',
  'x.com',
  'twitter.com',
  'www.x.com',
  'www.twitter.com',
] as const;
