/** A file that somebody named and that cannot be read; the message is one line that says which and why. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';

  constructor(
    readonly file: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`cannot read ${file === '' ? '""' : file}: ${reason}`, options);
  }
}

/** By the code of the system's error. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
};

/** Does what `read` does, and throws UnreadableFile where that throws the system's error. */
export async function readingFile<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) throw error;
    throw new UnreadableFile(file, REASONS[code] ?? code, { cause: error });
  }
}
