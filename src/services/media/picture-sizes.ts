/** The format of a photo, as named by the decoder. */
export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'gif';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A part of a picture, in pixels from its upper left corner. */
export interface Rectangle extends Size {
  readonly left: number;
  readonly top: number;
}

/** What a decoder has written. */
export interface WrittenPicture extends Size {
  /** The format of the files, where the picture decides it. */
  readonly written?: 'jpeg' | 'png';
}

/** Cameras produce up to 100 million pixels. */
export const MAX_PIXELS = 100_000_000;
