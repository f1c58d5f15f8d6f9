/** JSON of any shape: a test that looks for what is not there fails by that. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- narrowing each look would say what the expectation says
export type LooseJson = any;
