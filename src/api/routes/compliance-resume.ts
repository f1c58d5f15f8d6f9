import { MAX_UPLOAD_BYTES } from '../../core/compliance.js';
import { invalidRequest, PipitError } from '../../core/errors.js';
import type { ComplianceJobId, ComplianceUploadId } from '../../core/ids.js';
import type { ComplianceService } from '../../services/compliance/compliance-jobs.js';
import { UploadOvertaken } from '../../services/compliance/uploads.js';
import { parseContentRange, type ContentRange } from '../../http/content-range.js';
import { Answer } from '../../http/answer.js';
import type { PlainRequest } from '../../http/plain-route.js';

type Uploads = ComplianceService['uploads'];
type Upload = NonNullable<Awaited<ReturnType<Uploads['find']>>>;

/**
 * Handles a request of a resumable upload (docs/api/compliance.md): a chunk, the remaining bytes, or a status query.
 * Answers 308 with the stored range until the file is complete, then 200. Skips bytes that are already stored.
 * Refuses a chunk that would leave a gap, or that another connection has overtaken; the answer gives the position to
 * resume from.
 */
export async function putChunk(
  uploads: Uploads,
  request: PlainRequest,
  jobId: ComplianceJobId,
  uploadId: ComplianceUploadId,
): Promise<Answer> {
  const range = readRange(request);
  const upload = await uploads.find(jobId, uploadId);
  if (!upload) return new Answer(200);
  if (range.kind === 'query') return answerTo(uploads, upload, range.totalBytes);
  const firstByte = range.kind === 'range' ? range.firstByte : 0;
  if (firstByte > upload.receivedBytes) return incomplete(upload);
  try {
    const after = await uploads.append(upload, newBytes(request, range, upload.receivedBytes));
    return await answerTo(
      uploads,
      after,
      range.kind === 'range' ? range.totalBytes : wholeBytes(request, after),
    );
  } catch (error) {
    if (!(error instanceof UploadOvertaken)) throw error;
    const now = await uploads.find(jobId, uploadId);
    return now ? incomplete(now) : new Answer(200);
  }
}

/** Completes the upload if all bytes are stored. */
async function answerTo(uploads: Uploads, upload: Upload, totalBytes: number | undefined): Promise<Answer> {
  if (totalBytes !== undefined && totalBytes < upload.receivedBytes) {
    throw badRange(`bytes */${totalBytes}`);
  }
  if (totalBytes !== upload.receivedBytes) return incomplete(upload);
  await uploads.finish(upload);
  return new Answer(200);
}

/**
 * Returns the total length if the body completes the file; a body without a declared length ends with the request.
 */
function wholeBytes({ headers }: PlainRequest, { receivedBytes }: Upload): number {
  return Number(headers['content-length'] ?? receivedBytes);
}

/** Without stored bytes there is no range to report. */
function incomplete({ receivedBytes }: Upload): Answer {
  return new Answer(308, undefined, receivedBytes === 0 ? {} : { range: `bytes=0-${receivedBytes - 1}` });
}

function readRange({ headers }: PlainRequest): ContentRange {
  const sent = headers['content-range'];
  const range = parseContentRange(sent);
  if (!range) throw badRange(sent ?? '');
  const endByte = range.kind === 'range' ? Math.max(range.totalBytes ?? 0, range.lastByte + 1) : 0;
  if (endByte > MAX_UPLOAD_BYTES) throw new PipitError({ code: 'payload-too-large' });
  const declared = headers['content-length'];
  const isOtherLength =
    range.kind === 'range' && declared !== undefined && Number(declared) !== lengthOf(range);
  if (isOtherLength) throw badRange(sent ?? '');
  return range;
}

/** Yields the bytes of the body that are not stored yet, up to the end of the range. */
async function* newBytes(
  { stream }: PlainRequest,
  range: Exclude<ContentRange, { kind: 'query' }>,
  storedBytes: number,
): AsyncGenerator<Buffer> {
  const endByte = range.kind === 'range' ? range.lastByte + 1 : MAX_UPLOAD_BYTES;
  let at = range.kind === 'range' ? range.firstByte : 0;
  for await (const chunk of stream) {
    const bytes = chunk.subarray(Math.max(0, storedBytes - at), Math.max(0, endByte - at));
    at += chunk.length;
    if (bytes.length > 0) yield bytes;
  }
}

function lengthOf({ firstByte, lastByte }: { firstByte: number; lastByte: number }): number {
  return lastByte + 1 - firstByte;
}

function badRange(sent: string): PipitError {
  return invalidRequest('content-range', [sent], `The \`content-range\` header [${sent}] is not valid`);
}
