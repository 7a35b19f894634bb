import { appendAscii } from '../../bytes/arena.ts';
import type { DecodedFields } from './decoding.ts';
import { type CompiledFormat, compileFormat } from './format.ts';
import { compileJson, type JsonFormatOptions } from './json.ts';

/** The source of a record format, as plain data that another thread can compile as well. */
export type FormatSource =
  | { readonly layout: string }
  | {
      readonly json: JsonFormatOptions;
      /** Whether to write `---` before each record, which makes the JSON a stream of YAML documents. */
      readonly isYaml: boolean;
    };

/**
 * Compiles a record format. With `fields`, keys and values are those of the record that was decoded last.
 * @throws CliError (usage) with a caret under the error in a layout
 */
export function compileSource(source: FormatSource, fields?: DecodedFields): CompiledFormat {
  if ('layout' in source) return compileFormat(source.layout, fields);
  const json = compileJson(source.json, fields);
  if (!source.isYaml) return json;
  return (cursor, arena) => {
    appendAscii(arena, '---\n');
    json(cursor, arena);
  };
}

/** Whether two functions compiled from the source write the same; false if records are counted (`%i`). */
export function isStateless(source: FormatSource): boolean {
  return !('layout' in source) || /^(?:[^%]|%[^i])*$/.test(source.layout);
}
