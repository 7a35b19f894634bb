import { envelopeProgram } from './parse-envelope.ts';
import { createLineParser } from './parse-lines.ts';
import { readProgram } from './parse-program.ts';
import { createRecordParser, type ParserOptions, type RecordParser } from './parse-stream.ts';

export type { ParsedRecord, ParserOptions, RecordParser } from './parse-stream.ts';

/** What a layout reads, known before any input. */
export interface CompiledParser {
  readonly hasTopic: boolean;
  readonly hasPartition: boolean;
  readonly hasKey: boolean;
  /** A parser with a state of its own. */
  create(options?: ParserOptions): RecordParser;
}

/** The layout when none is given: a line is a value. */
export const defaultInputLayout = '%v\\n';

/**
 * Compiles an input layout (`%k %v\n`), or the word `json` for the envelope that consume writes.
 * @throws CliError (usage) with a caret under the place that is wrong
 */
export function compileParser(layout: string): CompiledParser {
  const program = layout === 'json' ? envelopeProgram() : readProgram(layout);
  const { hasTopic, hasPartition, hasKey, lines } = program;
  const create = (options: ParserOptions = {}): RecordParser =>
    lines === undefined ? createRecordParser(program, options) : createLineParser(program, lines, options);
  return { hasTopic, hasPartition, hasKey, create };
}
