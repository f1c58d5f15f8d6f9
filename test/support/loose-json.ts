/** JSON of any shape: a wrong access fails the test. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- narrowing each access would repeat the expectation
export type LooseJson = any;
