/** A text, or pieces of it that are made only when they are needed: a long text then never exists as a whole. */
export type Text = string | Iterable<string>;

/** The text of each item, with an empty line between them; items without text are left out. */
export function* spaced<T>(items: Iterable<T>, textOf: (item: T) => string): Iterable<string> {
  let isFirst = true;
  for (const item of items) {
    const text = textOf(item);
    if (text === '') continue;
    yield isFirst ? text : `\n${text}`;
    isFirst = false;
  }
}

/** The pieces in larger ones, each of about `size` characters, so that few writes are needed. */
export function* gathered(pieces: Iterable<string>, size: number): Iterable<string> {
  let held: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    held.push(piece);
    length += piece.length;
    if (length < size) continue;
    yield held.join('');
    held = [];
    length = 0;
  }
  if (length > 0) yield held.join('');
}
