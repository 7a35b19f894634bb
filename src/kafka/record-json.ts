import type { CompiledFormat } from './record-format.ts';

/** How records become JSON. */
export interface JsonFormatOptions {
  /** Two-space indent instead of one record a line. */
  readonly pretty?: boolean;
  /** Leave the value out, say its size. */
  readonly metaOnly?: boolean;
}

/** The JSON envelope as a compiled format: one object per record, newline at its end. */
export function compileJson(options: JsonFormatOptions = {}): CompiledFormat {
  throw new Error(`not yet: ${options.pretty}`);
}
