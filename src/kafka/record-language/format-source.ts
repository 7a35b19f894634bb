import { appendAscii } from '../records/arena.ts';
import { type CompiledFormat, compileFormat } from './format.ts';
import { compileJson, type JsonFormatOptions } from './json.ts';

/** What a record format is compiled from: plain data, which another thread can compile as well. */
export type FormatSource =
  | { readonly layout: string }
  | {
      readonly json: JsonFormatOptions /** A marker before each record makes the JSON documents of YAML. */;
      readonly isYaml: boolean;
    };

/**
 * Compiles a record format.
 * @throws CliError (usage) with a caret under the place of a layout that is wrong
 */
export function compileSource(source: FormatSource): CompiledFormat {
  if ('layout' in source) return compileFormat(source.layout);
  const json = compileJson(source.json);
  if (!source.isYaml) return json;
  return (cursor, arena) => {
    appendAscii(arena, '---\n');
    json(cursor, arena);
  };
}

/** Whether two compiled ones write the same: not when records are counted, as `%i` does. */
export function isStateless(source: FormatSource): boolean {
  return !('layout' in source && source.layout.includes('%i'));
}
