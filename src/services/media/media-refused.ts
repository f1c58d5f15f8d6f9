/** An upload that cannot become media; the message is safe to show and says why. */
export class MediaRefused extends Error {
  override readonly name = 'MediaRefused';
}
