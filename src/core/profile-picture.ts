import type { MediaId } from './ids.js';

/** What a profile shows besides its texts (docs/api/pipit.md#picture-and-banner). */
export const PICTURE_KINDS = ['picture', 'banner'] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** A size in pixels. */
interface Frame {
  readonly width: number;
  readonly height: number;
}

interface PictureRules {
  /** The number before the `_` in its media keys. */
  readonly keyPrefix: number;
  /** The size of the main file: of the picture, its largest size. */
  readonly main: Frame;
  /** Whether a smaller picture is enlarged to the size of the main file. */
  readonly enlarges: boolean;
  /** The further files by the names of their sizes. */
  readonly sizes: Readonly<Record<string, Frame>>;
}

const square = (side: number): Frame => ({ width: side, height: side });
const frame = (width: number, height: number): Frame => ({ width, height });

/** The names and sizes are those of the original; the prefixes of the keys are Pipit's. */
export const PICTURE_RULES: Readonly<Record<PictureKind, PictureRules>> = {
  picture: {
    keyPrefix: 19,
    main: square(1024),
    enlarges: false,
    sizes: {
      mini: square(24),
      normal: square(48),
      bigger: square(73),
      x96: square(96),
      reasonably_small: square(128),
      '200x200': square(200),
      '400x400': square(400),
    },
  },
  banner: {
    keyPrefix: 20,
    main: frame(1500, 500),
    enlarges: true,
    sizes: {
      '300x100': frame(300, 100),
      '600x200': frame(600, 200),
      mobile: frame(320, 160),
      mobile_retina: frame(640, 320),
      web: frame(520, 260),
      web_retina: frame(1040, 520),
      ipad: frame(626, 313),
      ipad_retina: frame(1252, 626),
    },
  },
};

/** The size of a banner whose file is the main one. */
export const WHOLE_BANNER = '1500x500';

export function pictureKeyOf(kind: PictureKind, id: MediaId): string {
  return `${PICTURE_RULES[kind].keyPrefix}_${id}`;
}

/** Returns what a medium is for a profile; undefined for media of posts and messages. */
export function pictureKindOf(mediaKey: string): PictureKind | undefined {
  const prefix = Number(mediaKey.slice(0, mediaKey.indexOf('_')));
  return PICTURE_KINDS.find((kind) => PICTURE_RULES[kind].keyPrefix === prefix);
}

/** The name of a file with a size: the id, 32 characters that may be `_` too, the size and the extension. */
const SIZED = /^([0-9]{1,19}\/[A-Za-z0-9_-]{32})_[a-z0-9_]{1,20}(\.[a-z0-9]{1,8})$/;

/** Returns the name of the file with this size beside a main file. */
export function sizedName(main: string, size: string): string {
  return main.replace(/\.[a-z0-9]+$/, `_${size}$&`);
}

/** Returns the names of all files of a medium with this main file: pictures of profiles have one for each size. */
export function namesBehind(mediaKey: string, main: string): string[] {
  const kind = pictureKindOf(mediaKey);
  const sizes = kind === undefined ? [] : Object.keys(PICTURE_RULES[kind].sizes);
  return [main, ...sizes.map((size) => sizedName(main, size))];
}

/** Returns the name of the main file of a sized one; undefined for other names. */
export function mainNameOf(sized: string): string | undefined {
  return SIZED.test(sized) ? sized.replace(SIZED, '$1$2') : undefined;
}

/** Returns the address that answers show, by that of the main file: clients put other sizes in. */
export function shownPictureUrl(kind: PictureKind, mainUrl: string): string {
  return kind === 'picture' ? sizedName(mainUrl, 'normal') : mainUrl.replace(/\.[a-z0-9]+$/, '');
}
