/** Shows text on a line of its own, with a caret under the character at `at` (in UTF-16 units), for messages. */
export function pointedAt(text: string, at: number): string {
  const shown = [...text].map(visible).join('');
  const caret = ' '.repeat([...text.slice(0, at)].length);
  return `\n  ${shown}\n  ${caret}^`;
}

/** Replaces a control character by its Unicode picture, so that the caret stays under its position. */
function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x7f) return '\u2421';
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : character;
}
