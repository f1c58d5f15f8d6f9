import { NamedError } from './named-error.js';

/** A file that cannot be read. The message is one line with the file and the reason. */
export class UnreadableFile extends NamedError {
  constructor(
    readonly file: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`cannot read ${file === '' ? '""' : file}: ${reason}`, options);
  }
}

/** Reasons by the code of the system's error. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'its name is too long',
};

/** Runs `read` and turns system errors into UnreadableFile. */
export async function readingFile<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) throw error;
    throw new UnreadableFile(file, REASONS[code] ?? code, { cause: error });
  }
}
