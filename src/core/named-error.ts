/** An error with the name of its class. */
export class NamedError extends Error {
  override readonly name = this.constructor.name;
}
