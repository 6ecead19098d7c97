/** Enter sends what is written in a box of text; Shift+Enter starts a new line, and input methods keep their Enter. */
export function onEnter(send: () => void) {
  return (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.isComposing || event.shiftKey || event.altKey) return;
    event.preventDefault();
    send();
  };
}
