/** What a photo may be, by the name that its decoder has for it. */
export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'gif';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Cameras have up to 100 million. */
export const MAX_PIXELS = 100_000_000;
