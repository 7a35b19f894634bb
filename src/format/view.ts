/** How to render text. The framework derives it from the flags and the terminal and passes it to every `text` view. */
export interface View {
  /** Whether to omit table headers and section titles (`--no-headers`). */
  readonly noHeaders: boolean;
  /** The width to wrap cells to; undefined for piped output and for `wide`, which do not wrap. */
  readonly columns: number | undefined;
  /** Whether to use color. */
  readonly color: boolean;
}

/** The view for piped output: with headers, no wrapping, no color. */
export const plainView: View = { noHeaders: false, columns: undefined, color: false };
