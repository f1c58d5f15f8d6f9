/** Keeps this process awake until the returned function is called: see `Round.polls`. */
export function pollSockets(): () => void {
  let isOn = true;
  const again = (): void => {
    if (isOn) setImmediate(again);
  };
  again();
  return () => {
    isOn = false;
  };
}
