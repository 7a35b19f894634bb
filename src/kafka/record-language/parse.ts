import { envelopeProgram } from './parse-envelope.ts';
import { createLineParser } from './parse-lines.ts';
import { readProgram } from './parse-program.ts';
import { createRecordParser, type ParserOptions, type RecordParser } from './parse-stream.ts';

export type { ParsedRecord, ParserOptions, RecordParser } from './parse-stream.ts';

/** A compiled input layout, with the fields that it reads. */
export interface CompiledParser {
  readonly hasTopic: boolean;
  readonly hasPartition: boolean;
  readonly hasKey: boolean;
  /** Creates a parser with its own state. */
  create(options?: ParserOptions): RecordParser;
}

/** The default layout, in which a line is a value. */
export const defaultInputLayout = '%v\\n';

/**
 * Compiles an input layout (`%k %v\n`), or the word `json` for the envelope that consume writes.
 * @throws CliError (usage) with a caret under the error
 */
export function compileParser(layout: string): CompiledParser {
  const program = layout === 'json' ? envelopeProgram() : readProgram(layout);
  const { hasTopic, hasPartition, hasKey, lines } = program;
  const create = (options: ParserOptions = {}): RecordParser =>
    lines === undefined ? createRecordParser(program, options) : createLineParser(program, lines, options);
  return { hasTopic, hasPartition, hasKey, create };
}
