/** Beside the database file, or in the data folder: the files of media. */
export const MEDIA_FOLDER = 'media';
