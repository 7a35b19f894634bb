import { type Arena, appendAscii, appendBytes } from '../../../bytes/arena.ts';
import { printable } from '../../../format/printable.ts';
import { exactOffset } from '../batches/cursor.ts';
import { compileCsv } from './csv.ts';
import type { DecodedFields, RecordField } from './decoding.ts';
import { type CompiledFormat, compileFormat } from './format.ts';
import { compileJson, type JsonFormatOptions } from './json.ts';

/** The source of a record format. */
export type FormatSource =
  | { readonly layout: string }
  | { readonly csv: true }
  | {
      readonly found: {
        /** Whether the topic is part of the place. */
        readonly hasTopic: boolean;
      };
    }
  | {
      readonly json: JsonFormatOptions;
      /** Whether to write each record as a YAML document instead. */
      readonly isYaml: boolean;
    };

/**
 * Compiles a record format. With `fields`, keys and values are those of the record that was decoded last.
 * @throws CliError (usage) with a caret under the error in a layout
 */
export function compileSource(source: FormatSource, fields?: DecodedFields): CompiledFormat {
  if ('layout' in source) return compileFormat(source.layout, fields);
  if ('csv' in source) return compileCsv(fields);
  if ('found' in source) return compileFound(source.found.hasTopic, fields);
  return compileJson({ ...source.json, isYaml: source.isYaml }, fields);
}

/**
 * Compiles the format of records that were found: a line with the place, the key and the value, separated by tabs. Line
 * breaks, tabs and what could control a terminal are escaped.
 */
function compileFound(hasTopic: boolean, fields?: DecodedFields): CompiledFormat {
  return (cursor, arena) => {
    const { bytes, origin, keyStart, keyLength, valueStart, valueLength } = cursor;
    if (hasTopic) appendAscii(arena, `${origin.topic}:`);
    appendAscii(arena, `${origin.partition}:${exactOffset(cursor)}\t`);
    appendText(arena, fields?.key ?? { bytes, start: keyStart, length: keyLength });
    appendAscii(arena, '\t');
    appendText(arena, fields?.value ?? { bytes, start: valueStart, length: valueLength });
    appendAscii(arena, '\n');
  };
}

function appendText(arena: Arena, { bytes, start, length }: Pick<RecordField, 'bytes' | 'start' | 'length'>): void {
  if (length > 0) appendBytes(arena, Buffer.from(printable(bytes.toString('utf8', start, start + length))));
}
