/** A size in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The most that a picture is enlarged, compared with the least at which it fills its frame. */
const MAX_ZOOM = 8;

/** A part keeps at least this many pixels of the picture on its shorter side. */
const MIN_SIDE = 48;

/** The part of a picture that a frame shows, in pixels of the picture: it always fills the frame. */
export class CropWindow {
  /** How many times smaller the part is than the largest one. */
  zoom = 1;
  /** The middle of the part. */
  private x: number;
  private y: number;
  readonly maxZoom: number;

  /** `shape` is the width of the frame divided by its height. */
  constructor(
    private readonly picture: Size,
    private readonly shape: number,
  ) {
    this.x = picture.width / 2;
    this.y = picture.height / 2;
    const { width, height } = this.largest;
    this.maxZoom = Math.max(1, Math.min(MAX_ZOOM, Math.min(width, height) / MIN_SIDE));
  }

  private get largest(): Size {
    const { width, height } = this.picture;
    const wide = Math.min(width, height * this.shape);
    return { width: wide, height: wide / this.shape };
  }

  private get size(): Size {
    const { width, height } = this.largest;
    return { width: width / this.zoom, height: height / this.zoom };
  }

  /** Moves the part by a share of its own size. */
  move(right: number, down: number): void {
    const { width, height } = this.size;
    this.x += right * width;
    this.y += down * height;
    this.stayInside();
  }

  /** Shows a smaller or larger part with the same middle, as far as possible. */
  zoomTo(zoom: number): void {
    this.zoom = Math.min(this.maxZoom, Math.max(1, zoom));
    this.stayInside();
  }

  private stayInside(): void {
    const { width, height } = this.size;
    const within = (value: number, half: number, length: number): number =>
      Math.min(length - half, Math.max(half, value));
    this.x = within(this.x, width / 2, this.picture.width);
    this.y = within(this.y, height / 2, this.picture.height);
  }

  /** Returns the part in whole pixels, inside of the picture. */
  part(): Size & { readonly left: number; readonly top: number } {
    const { width, height } = this.size;
    const left = Math.max(0, Math.round(this.x - width / 2));
    const top = Math.max(0, Math.round(this.y - height / 2));
    return {
      left,
      top,
      width: Math.max(1, Math.min(Math.round(width), this.picture.width - left)),
      height: Math.max(1, Math.min(Math.round(height), this.picture.height - top)),
    };
  }
}
