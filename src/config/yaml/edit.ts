import type { Node, Pair, YAMLMap, YAMLSeq } from 'yaml';
import type { YamlFile } from './file.ts';

/*
 * Edits of a YAML text that leave all other bytes unchanged. Each edit returns undefined for a style that it does not
 * handle (mostly flow style). The YAML package never prints a document: it would write numbers in another form.
 */

/** A parsed file with its text. */
export interface YamlText {
  readonly text: string;
  readonly yaml: YamlFile;
}

/** A value to be written to a file. */
export type FileValue = string | boolean | readonly string[];

/** Characters that plain YAML text cannot contain, or that would be invisible in it. */
const unplain = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function isPlain(value: FileValue): boolean {
  return typeof value !== 'string' || (value === value.trim() && !unplain.test(value));
}

/** Options that make the YAML package write a text on one line, however long it is. */
const oneLine = {
  lineWidth: 0,
  flowCollectionPadding: false,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const;

/** Renders a value as YAML on one line. */
export function renderValue({ yaml }: YamlFile, value: FileValue): string {
  const render = (type: 'PLAIN' | 'QUOTE_DOUBLE') =>
    // Rendered as a map value, because a text such as "---" on its own would be written over several lines.
    yaml.stringify({ v: value }, { ...oneLine, collectionStyle: 'flow', defaultStringType: type }).trimEnd();
  const text = render(isPlain(value) ? 'PLAIN' : 'QUOTE_DOUBLE');
  const inner = text.startsWith('{') ? text.slice(1, -1) : text;
  return inner.slice(inner.indexOf(':') + 1).trim();
}

/** Replaces the value of a pair with one line. */
export function replaceValue({ text, yaml }: YamlText, pair: Pair, rendered: string): string | undefined {
  const { key, value } = pair;
  if (!yaml.yaml.isNode(key) || key.range == null) return undefined;
  const colon = text.indexOf(':', key.range[1]);
  if (colon < 0) return undefined;
  const node = yaml.yaml.isNode(value) && !isBlank(value) ? value : undefined;
  const end = node === undefined ? colon + 1 : Math.max(colon + 1, contentEnd({ text, yaml }, node));
  const isOneLine = node?.range != null && end > node.range[0] && !text.slice(colon, end).includes('\n');
  if (isOneLine && node?.range != null) return text.slice(0, node.range[0]) + rendered + text.slice(end);
  return `${text.slice(0, colon + 1)} ${rendered}${text.slice(end)}`;
}

/** Appends a pair, given as lines, to a map; without a map, to a text that has only comments. */
export function appendToMap(file: YamlText, map: YAMLMap | undefined, lines: readonly string[]): string | undefined {
  if (map === undefined) {
    const eol = newline(file.text);
    const end = file.text === '' || file.text.endsWith('\n') ? '' : eol;
    return `${file.text}${end}${lines.join(eol)}${eol}`;
  }
  const first = map.items[0]?.key;
  if (map.flow && lines.length === 1 && map.items.length > 0) {
    const at = Math.max(...map.items.flatMap(({ key, value }) => [endOf(file, key), endOf(file, value)]));
    return `${file.text.slice(0, at)}, ${lines[0]}${file.text.slice(at)}`;
  }
  if (map.flow || !file.yaml.yaml.isNode(first) || first.range == null) return undefined;
  const indent = ' '.repeat(columnOf(file.text, first.range[0]));
  return insertAfter(
    file,
    map,
    lines.map((line) => indent + line),
  );
}

/** Gives a pair without a value the lines of a block below it. */
export function fillPair(file: YamlText, { key }: Pair, lines: readonly string[]): string | undefined {
  if (!file.yaml.yaml.isNode(key) || key.range == null) return undefined;
  const { text } = file;
  const eol = newline(text);
  const indent = ' '.repeat(columnOf(text, key.range[0]) + 2);
  const at = lineEnd(text, key.range[1]);
  const block = lines.map((line) => eol + indent + line).join('');
  return text.slice(0, at) + block + (at === text.length ? eol : '') + text.slice(at);
}

/** Removes a pair and its lines from a map. */
export function removeFromMap(file: YamlText, map: YAMLMap, pair: Pair): string | undefined {
  const { text, yaml } = file;
  const { key, value } = pair;
  if (!yaml.yaml.isNode(key) || key.range == null) return undefined;
  const at = key.range[0];
  const end = Math.max(key.range[1], endOf(file, value));
  const index = map.items.indexOf(pair);
  const start = lineStart(text, at);
  // In braces, a comma may stay before the closing one.
  const endsLine = !map.flow || /^:?[ \t]*(?:,[ \t]*)?(?:#.*)?\r?$/.test(restOfLine(text, end));
  if (endsLine && text.slice(start, at).trim() === '') return cut(text, start, end);
  // In braces on one line, and behind the dash of a list.
  const next = map.items[index + 1]?.key;
  if (index === 0 && yaml.yaml.isNode(next) && next.range != null) return text.slice(0, at) + text.slice(next.range[0]);
  if (!map.flow) return undefined;
  const last = map.items[index - 1];
  const from = last === undefined ? at : Math.max(endOf(file, last.key), endOf(file, last.value));
  return text.slice(0, from) + text.slice(end);
}

/** Appends an item, given as the lines of a map, to a list. */
export function appendToList(file: YamlText, list: YAMLSeq, lines: readonly string[]): string | undefined {
  const column = dashColumn(file.text, list);
  return column === undefined ? undefined : insertAfter(file, list, itemLines(lines, column));
}

/** Removes an item from a list. */
export function removeFromList(file: YamlText, list: YAMLSeq, item: Node): string | undefined {
  const range = itemRange(file, list, item);
  return range === undefined || list.items.length < 2 ? undefined : cut(file.text, range[0], range[1]);
}

/** Replaces the lines of a list item. */
export function replaceInList(
  file: YamlText,
  { list, item }: { readonly list: YAMLSeq; readonly item: Node },
  lines: readonly string[],
): string | undefined {
  const range = itemRange(file, list, item);
  if (range === undefined) return undefined;
  const fresh = itemLines(lines, columnOf(file.text, range[2])).join(newline(file.text));
  return file.text.slice(0, range[0]) + fresh + file.text.slice(range[1]);
}

/** Returns the lines of a list item without dash and indentation; undefined if it shares its lines with other text. */
export function linesOfItem(file: YamlText, list: YAMLSeq, item: Node): readonly string[] | undefined {
  const range = itemRange(file, list, item);
  if (range === undefined || item.range == null) return undefined;
  const column = columnOf(file.text, item.range[0]);
  const lines = file.text.slice(item.range[0], range[1]).split(/\r?\n/);
  const isIndented = lines.every((line, i) => i === 0 || line.slice(0, column).trim() === '');
  return isIndented ? lines.map((line, i) => (i === 0 ? line : line.slice(column)).trimEnd()) : undefined;
}

/** Offsets of a list item: start of the dash's line, end of the last content line, and the dash. */
function itemRange(file: YamlText, list: YAMLSeq, item: Node): readonly [number, number, number] | undefined {
  const column = dashColumn(file.text, list);
  if (column === undefined || item.range == null) return undefined;
  const dash = file.text.lastIndexOf('-', item.range[0] - 1);
  if (dash < 0 || columnOf(file.text, dash) !== column) return undefined;
  const start = lineStart(file.text, dash);
  if (file.text.slice(start, item.range[0]).trim() !== '-') return undefined;
  return [start, lineEnd(file.text, contentEnd(file, item)), dash];
}

function dashColumn(text: string, list: YAMLSeq): number | undefined {
  if (list.flow || list.range == null || text[list.range[0]] !== '-') return undefined;
  return columnOf(text, list.range[0]);
}

function itemLines(lines: readonly string[], column: number): readonly string[] {
  const indent = ' '.repeat(column);
  return lines.map((line, i) => (line === '' ? '' : `${indent}${i === 0 ? '- ' : '  '}${line}`));
}

function insertAfter(file: YamlText, node: Node, lines: readonly string[]): string {
  const eol = newline(file.text);
  const at = lineEnd(file.text, contentEnd(file, node));
  return file.text.slice(0, at) + eol + lines.join(eol) + (at === file.text.length ? eol : '') + file.text.slice(at);
}

function cut(text: string, start: number, contentEnds: number): string {
  const end = text.indexOf('\n', contentEnds);
  return text.slice(0, start) + (end < 0 ? '' : text.slice(end + 1));
}

function endOf(file: YamlText, node: unknown): number {
  return file.yaml.yaml.isNode(node) && !isBlank(node) ? contentEnd(file, node) : 0;
}

/** The offset after a node's last character, without trailing comments and blank lines. */
function contentEnd({ text, yaml: { yaml } }: YamlText, node: Node): number {
  let last: Node = node;
  while ((yaml.isMap(last) || yaml.isSeq(last)) && !last.flow) {
    const next = lastNode(yaml, last.items.at(-1));
    if (!yaml.isNode(next)) break;
    last = next;
  }
  const end = last.range?.[1] ?? 0;
  const trimmed = text.slice(0, end).trimEnd().length;
  return Math.max(trimmed, last.range?.[0] ?? 0);
}

/** The value of a pair, or its key if it has none; otherwise the item itself. */
function lastNode(yaml: YamlText['yaml']['yaml'], item: unknown): unknown {
  if (!yaml.isPair(item)) return item;
  return yaml.isNode(item.value) && !isBlank(item.value) ? item.value : item.key;
}

function isBlank(node: Node | undefined): boolean {
  return node?.range == null || node.range[0] === node.range[1];
}

function restOfLine(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(offset, end < 0 ? text.length : end);
}

function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  const end = at < 0 ? text.length : at;
  return text[end - 1] === '\r' ? end - 1 : end;
}

function newline(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Inserts a pair, given as lines, before another pair of a map. */
export function insertBefore(file: YamlText, map: YAMLMap, pair: Pair, lines: readonly string[]): string | undefined {
  const { key } = pair;
  if (map.flow || !file.yaml.yaml.isNode(key) || key.range == null) return undefined;
  const start = lineStart(file.text, key.range[0]);
  const indent = file.text.slice(start, key.range[0]);
  if (indent.trim() !== '') return undefined;
  const eol = newline(file.text);
  return file.text.slice(0, start) + lines.map((line) => indent + line + eol).join('') + file.text.slice(start);
}
