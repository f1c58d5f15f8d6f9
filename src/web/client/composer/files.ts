import { announce } from '../announce.js';
import { element } from '../element.js';
import { copyOf } from './parts.js';
import { uploadFile } from './upload.js';

/** Uploads run one after another. */
let queue: Promise<unknown> = Promise.resolve();

const UPLOADING = 'uploading';
const FAILED = 'failed';

/** Reports whether a file is on its way. */
export function areUploading(root: ParentNode): boolean {
  return root.querySelector(`.attached-file[data-state=${UPLOADING}]`) !== null;
}

/** Reports whether a file could not be uploaded. */
export function hasFailed(form: HTMLFormElement): boolean {
  return form.querySelector(`.attached-file[data-state=${FAILED}]`) !== null;
}

/** Shows files below the post that `place` is in, and uploads them: the form gets `uploaded` after the last one. */
export function addFiles(
  form: HTMLFormElement,
  place: Element,
  files: FileList | null,
  changed: () => void,
): void {
  const list = (place.closest('.part') ?? form).querySelector('.attached-files');
  for (const file of files ?? []) {
    const item = copyOf(form, 'file-template');
    if (!item) return;
    showPreview(item, file);
    list?.append(item);
    begin(form, item, file, changed);
  }
  list?.querySelector<HTMLElement>(`[data-state=${UPLOADING}] textarea`)?.focus();
  changed();
}

function showPreview(item: HTMLElement, file: File): void {
  const url = URL.createObjectURL(file);
  const image = item.querySelector('img');
  if (!image) return;
  const forget = (): void => URL.revokeObjectURL(url);
  if (file.type.startsWith('video/')) {
    const video = document.createElement('video');
    video.src = url;
    video.muted = true;
    video.onloadeddata = forget;
    image.replaceWith(video);
  } else {
    image.src = url;
    image.onload = forget;
  }
}

function begin(form: HTMLFormElement, item: HTMLElement, file: File, changed: () => void): void {
  const bar = document.createElement('progress');
  bar.ariaLabel = `Upload of ${file.name}`;
  item.dataset['state'] = UPLOADING;
  item.querySelector('.about')?.prepend(bar);
  queue = queue.then(async () => {
    if (!item.isConnected) return;
    try {
      const key = await uploadFile(form, file, (share) => {
        bar.value = share;
      });
      const field = item.querySelector<HTMLInputElement>('[name=media]');
      field?.setAttribute('value', key);
      delete item.dataset['state'];
      bar.remove();
      announce(`${file.name} is uploaded.`);
    } catch (error) {
      bar.remove();
      fail(item, file, error, () => begin(form, item, file, changed));
    }
    changed();
    if (!areUploading(form)) form.dispatchEvent(new Event('uploaded'));
  });
}

function fail(item: HTMLElement, file: File, error: unknown, again: () => void): void {
  item.dataset['state'] = FAILED;
  const reason = element('p', 'fault');
  reason.role = 'alert';
  const words = error instanceof Error ? error.message : '';
  reason.append(element('bdi', '', file.name), ` was not uploaded. ${words || 'Try again.'} `);
  const button = element('button', 'plain', 'Try again');
  button.type = 'button';
  button.onclick = () => {
    reason.remove();
    again();
  };
  reason.append(button);
  item.querySelector('.about')?.prepend(reason);
}

/** Removes the file of a button. */
export function removeFile(_form: HTMLFormElement, button: HTMLElement): void {
  const item = button.closest('.attached-file');
  const next = item?.nextElementSibling ?? item?.previousElementSibling ?? item?.closest('.part');
  item?.remove();
  next?.querySelector<HTMLElement>('textarea')?.focus();
}

/** Moves the file of a button before the one above it. */
export function moveEarlier(_form: HTMLFormElement, button: HTMLElement): void {
  const item = button.closest('.attached-file');
  if (!item?.previousElementSibling) return;
  item.previousElementSibling.before(item);
  button.focus();
}

/** Says how many files have no description yet. */
export function remindOfDescriptions(form: HTMLFormElement): void {
  const texts = [...form.querySelectorAll<HTMLTextAreaElement>('[name=alt]')];
  const missing = texts.filter(({ value }) => value.trim() === '').length;
  const known = form.querySelector('.remind');
  const reminder = known ?? element('p', 'hint remind');
  reminder.textContent =
    missing === 0
      ? ''
      : `${missing === 1 ? 'A file has' : `${missing} files have`} no description. People who cannot see it will miss it.`;
  if (!known && missing > 0) form.querySelector('.send, .tools')?.before(reminder);
}
