/** The format of a photo, as named by the decoder. */
export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'gif';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Cameras produce up to 100 million pixels. */
export const MAX_PIXELS = 100_000_000;
