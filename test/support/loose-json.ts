/** JSON of any shape: a wrong access fails the test. */
// oxlint-disable-next-line typescript/no-explicit-any -- narrowing each access would repeat the expectation
export type LooseJson = any;
