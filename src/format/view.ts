/** How text is to look: taken from the flags and from the terminal by the framework, handed to every `text` view. */
export interface View {
  /** `--no-headers`: tables without their first line, sections without their titles. */
  readonly noHeaders: boolean;
  /** Columns to wrap cells to; undefined when piped and for `wide`: nothing is wrapped. */
  readonly columns: number | undefined;
  /** Whether text may be coloured. */
  readonly color: boolean;
}

/** Text as it is piped into a file: headers, nothing wrapped, no colour. */
export const plainView: View = { noHeaders: false, columns: undefined, color: false };
