import { Refused } from '../requests.js';

const UPLOADS = '/i/media';

/** The size of a segment, as the server takes it. */
const SEGMENT_BYTES = 4 * 1024 * 1024;

interface Upload {
  readonly id: string;
  readonly key: string;
  readonly isProcessing: boolean;
}

/**
 * Uploads a file in segments, waits until it is processed, and returns its media key. `onProgress` gets the share that
 * has arrived. Throws `Refused`, and other errors without a connection.
 */
export async function uploadFile(
  form: HTMLFormElement,
  file: File,
  onProgress: (share: number) => void,
): Promise<string> {
  const begun = uploadIn(await send(form, UPLOADS, { size: String(file.size), type: file.type }));
  const path = `${UPLOADS}/${begun.id}`;
  for (let start = 0; start < file.size; start += SEGMENT_BYTES) {
    const part = file.slice(start, start + SEGMENT_BYTES);
    const fields = { index: String(start / SEGMENT_BYTES), file: part };
    await send(form, path, fields, (sent) => onProgress(Math.min(1, (start + sent) / file.size)));
  }
  let upload = uploadIn(await send(form, path, { done: 'yes' }));
  while (upload.isProcessing) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const answer = await fetch(path);
    if (!answer.ok) throw new Refused(answer.status, await answer.text());
    upload = uploadIn(await answer.text());
  }
  return upload.key;
}

function uploadIn(text: string): Upload {
  return JSON.parse(text) as Upload;
}

/** Sends a form. The progress of `fetch` cannot be followed. */
function send(
  form: HTMLFormElement,
  path: string,
  fields: Readonly<Record<string, string | Blob>>,
  onProgress?: (sentBytes: number) => void,
): Promise<string> {
  const body = new FormData();
  body.append('csrf', String(new FormData(form).get('csrf')));
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.setRequestHeader('accept', 'text/html');
    request.onload = () => {
      if (request.status < 300) resolve(request.responseText);
      else reject(new Refused(request.status, request.responseText));
    };
    request.onerror = () => reject(new Error('The server cannot be reached.'));
    if (onProgress) request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.send(body);
  });
}
