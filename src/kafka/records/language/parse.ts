import { type JsonFields, noJsonFields } from './json-fields.ts';
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
/** The default layout for values that are JSON, separated by white space. */
export const defaultJsonLayout = '%v{json}';

/**
 * Compiles an input layout (`%k %v\n`), or the word `json` for the envelope that consume writes. The fields in `json`
 * are JSON: plain `%k` and `%v` read a JSON value then, which ends by itself.
 * @throws CliError (usage) with a caret under the error
 */
export function compileParser(layout: string, json: JsonFields = noJsonFields): CompiledParser {
  const program = layout === 'json' ? envelopeProgram(json) : readProgram(layout, json);
  const { hasTopic, hasPartition, hasKey, lines } = program;
  const create = (options: ParserOptions = {}): RecordParser =>
    lines === undefined || options.countsLines === true
      ? createRecordParser(program, options)
      : createLineParser(program, lines, options);
  return { hasTopic, hasPartition, hasKey, create };
}
