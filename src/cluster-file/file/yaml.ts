import { parseYaml, scalarText, type YamlFile, type YamlSource } from '../../config/yaml/file.ts';
import { CliError, exitCodes, usageError } from '../../errors.ts';
import type { ReadFile } from '../kinds/kind.ts';
import type { Fault } from './fields.ts';

/** A text of a cluster, or a part of one. */
export interface SourceText {
  /** The file as it was named; `standard input` for that. */
  readonly name: string;
  readonly text: string;
  /** Reads a file that it names, seen from its folder (default: it can name none). */
  readonly read?: ReadFile;
  /** How many lines of the file are before it (default: none). */
  readonly linesBefore?: number;
}

/** A text that was read as YAML: its value, and errors about places in it. */
export interface ReadText {
  readonly name: string;
  readonly value: unknown;
  readonly read: ReadFile;
  /** The error about the value at the end of a way, or about its name, with file, line and column. */
  faultAt(fault: Fault): CliError;
  /** The file and the line of a value: `orders.yaml:4`. */
  placeOf(way: Fault['way']): string;
}

/** More values than any file of a person has: aliases of aliases of aliases could stand for millions. */
const mostValues = 5_000_000;

/** An error about a place in a file. */
export class PlacedError extends CliError {
  readonly line: number;
  readonly column: number;

  constructor(path: string, { line, column }: { readonly line: number; readonly column: number }, why: string) {
    super(exitCodes.usage, `${path}:${line}:${column}: ${why}`, { code: 'FILE_INVALID', target: path });
    this.line = line;
    this.column = column;
  }
}

/**
 * Reads YAML 1.2, which includes JSON, as plain data.
 * @param errors gets the errors about keys, which are then left out (default: they are thrown)
 * @throws CliError (exit 2) with file, line and column
 */
export async function readYaml(
  { name, text, linesBefore = 0, read: readFile = noFiles }: SourceText,
  errors?: CliError[],
): Promise<ReadText> {
  const source: PlacedSource = { path: name, text, linesBefore };
  const file = await parseYaml(name, text, (_, offset, why) => syntaxFault(source, offset, why));
  const fault = (at: unknown, why: string) => placedFault(source, file.offsetOf(at), why);
  const leaveOut = (key: unknown, why: string) => {
    if (errors === undefined) throw fault(key, why);
    errors.push(fault(key, why));
  };
  let values = 0;
  const open = new Set<unknown>();
  const read = (node: unknown): unknown => {
    values += 1;
    if (values > mostValues) throw usageError(`unable to use ${name}: it has more than ${mostValues} values`);
    const inner = file.valueOf(node);
    if (inner === undefined) return null;
    if (open.has(inner)) throw fault(node, 'an alias stands for what contains it');
    open.add(inner);
    const value = plainValue(file, inner, { read, leaveOut });
    open.delete(inner);
    return value;
  };
  const offsetOf = (way: Fault['way'], isName = false): number => file.offsetOf(nodeAt(file, way, isName));
  return {
    name,
    value: read(file.document.contents),
    read: readFile,
    faultAt({ way, why, isName = false, before = '' }) {
      const offset = offsetAfter(text, offsetOf(way, isName), before);
      return placedFault(source, offset, `${wayText(shownWay(way, isName))}${why}`);
    },
    placeOf: (way) => `${name}:${positionIn(source, offsetOf(way)).line}`,
  };
}

const noFiles: ReadFile = async () => ({ fault: 'a file cannot be named here' });

/** The documents of a text, which `---` at the beginning of a line separates; those without content are left out. */
export function documentsIn(source: SourceText): readonly SourceText[] {
  const documents: SourceText[] = [];
  let linesBefore = 0;
  // The mark ends every kind of text of YAML, so that no other line can begin with it.
  for (const part of source.text.split(/^---(?=\s|$)/m)) {
    if (/^\s*[^\s#%.]/m.test(part)) documents.push({ ...source, text: part, linesBefore });
    linesBefore += part.split('\n').length - 1;
  }
  return documents;
}

/** The offset after a part of a text; that of the text itself if it is written with escapes, or over several lines. */
function offsetAfter(text: string, offset: number, part: string): number {
  const start = /["']/.test(text[offset] ?? '') ? offset + 1 : offset;
  return part !== '' && text.startsWith(part, start) ? start + part.length : offset;
}

interface Reader {
  read(node: unknown): unknown;
  /** Reports what is wrong with a key. */
  leaveOut(key: unknown, why: string): void;
}

function plainValue(file: YamlFile, node: unknown, reader: Reader): unknown {
  const { yaml } = file;
  if (yaml.isSeq(node)) return node.items.map(reader.read);
  if (yaml.isMap(node)) return Object.fromEntries(entriesOf(file, node.items, reader));
  if (!yaml.isScalar(node)) return null;
  // A number beyond 2^53, such as a retention, keeps all its digits.
  const { value } = node;
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? BigInt(scalarText(node))
    : value;
}

/** A name of a map, and its value. */
interface MapPair {
  readonly key: unknown;
  readonly value: unknown;
}

function entriesOf({ yaml }: YamlFile, pairs: readonly MapPair[], reader: Reader): ReadonlyMap<string, unknown> {
  const entries = new Map<string, unknown>();
  for (const { key, value } of pairs) {
    const name = yaml.isScalar(key) ? scalarText(key) : undefined;
    if (name !== undefined && !entries.has(name)) entries.set(name, reader.read(value));
    else reader.leaveOut(key, name === undefined ? 'a key must be plain text' : 'this key is here twice');
  }
  return entries;
}

/** The node at the end of a way; the last one that is there if the way goes on. A key stands for a value that is null. */
function nodeAt(file: YamlFile, way: Fault['way'], isName: boolean): unknown {
  let node: unknown = file.document.contents;
  let key: unknown;
  for (const name of way) {
    const inner = file.valueOf(node);
    if (file.yaml.isMap(inner)) {
      const pair = inner.items.find((one) => file.yaml.isScalar(one.key) && scalarText(one.key) === String(name));
      if (pair === undefined) break;
      key = pair.key;
      node = pair.value;
    } else if (file.yaml.isSeq(inner) && typeof name === 'number') {
      node = inner.items[name];
      key = node;
    } else break;
  }
  const found = file.valueOf(node);
  if (isName) return key;
  return found === undefined || file.yaml.isMap(found) ? (key ?? found) : node;
}

/** What is wrong below a user may be a password in the wrong place: only the name of a field is shown, and no wrong name. */
function shownWay(way: Fault['way'], isName: boolean): Fault['way'] {
  const at = way[0] === 'profiles' ? 2 : 0;
  const end = isName ? Math.max(at + 2, way.length - 1) : way.length;
  return way[at] === 'users' ? way.slice(0, Math.min(at + 3, end)) : way;
}

/** The names on a way, before what is wrong at its end. */
function wayText(way: Fault['way']): string {
  if (way.length === 0) return '';
  const text = way.map((name, at) => (typeof name === 'number' ? `[${name}]` : at === 0 ? name : `.${name}`)).join('');
  return `${text}: `;
}

/** A text that may be a part of its file. */
interface PlacedSource extends YamlSource {
  readonly linesBefore: number;
}

function positionIn(
  { text, linesBefore }: PlacedSource,
  offset: number,
): { readonly line: number; readonly start: number } {
  const start = text.slice(0, offset).lastIndexOf('\n') + 1;
  return { line: linesBefore + text.slice(0, start).split('\n').length, start };
}

/** An error with file, line and column. The line itself is not shown: a password could be on it. */
function placedFault(source: PlacedSource, offset: number, why: string): CliError {
  const { line, start } = positionIn(source, offset);
  return new PlacedError(source.path, { line, column: offset - start + 1 }, why);
}

/** What the parser says, without the text of the file that it may quote. */
function syntaxFault(source: PlacedSource, offset: number, why: string): CliError {
  return placedFault(source, offset, why.replace(/(?<=\w): .*|\s*["!\\%].*/s, '') || 'it is not YAML');
}
