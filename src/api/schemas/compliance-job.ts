import { date, described, flag, id, object, oneOf, text, url } from '../../core/json-schema.js';

/** A compliance job (docs/api/objects.md#compliance-job). */
export const complianceJob = object(
  {
    id,
    type: oneOf('tweets', 'users'),
    name: text,
    status: oneOf('created', 'in_progress', 'complete', 'failed', 'expired'),
    resumable: flag,
    created_at: date,
    upload_url: url,
    upload_expires_at: date,
    download_url: url,
    download_expires_at: date,
    estimated_completion: described(date, 'Until the job has ended; before the upload, if it came now.'),
  },
  ['id', 'type', 'status', 'created_at', 'upload_url', 'download_url'],
);
