/** An id of digits, then a file name that cannot leave its folder. */
const NAME = /^([0-9]{1,19})\/[A-Za-z0-9_-]+(?:\.[a-z0-9]+)?$/;

/** Returns the folder in the name of a blob; undefined for an invalid name. */
export function folderOfBlob(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/** Returns the folder in the name of a blob. Throws RangeError for an invalid name. */
export function requireFolderOfBlob(name: string): string {
  const folder = folderOfBlob(name);
  if (folder === undefined) throw new RangeError(`${name} is not a valid blob name`);
  return folder;
}
