import { compileCsv } from './csv.ts';
import type { DecodedFields } from './decoding.ts';
import { type CompiledFormat, compileFormat } from './format.ts';
import { compileFound, type FoundOptions } from './found.ts';
import { compileJson, type JsonFormatOptions } from './json.ts';

/** The source of a record format, as plain data that another thread can compile as well. */
export type FormatSource =
  | { readonly layout: string }
  | { readonly csv: true }
  | { readonly found: FoundOptions }
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
  if ('found' in source) return compileFound(source.found, fields);
  return compileJson({ ...source.json, isYaml: source.isYaml }, fields);
}

/** Whether two functions compiled from the source write the same; false if records are counted (`%i`). */
export function isStateless(source: FormatSource): boolean {
  return !('layout' in source) || /^(?:[^%]|%[^i])*$/.test(source.layout);
}
