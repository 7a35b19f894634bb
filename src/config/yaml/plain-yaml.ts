import type { Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { YamlTree } from './file.ts';

/** A line with content. */
interface Line {
  /** The line number, from 1. */
  readonly number: number;
  readonly indent: number;
  /** The text without its indent. */
  readonly text: string;
}

/** A node of a tree, with the fields that readers use of the yaml package's nodes, and the line it starts on. */
type PlainNode = { readonly line: number } & (
  | { readonly sort: 'map'; readonly items: readonly Pick<Pair, 'key' | 'value'>[] }
  | { readonly sort: 'seq'; readonly items: readonly PlainNode[] }
  | {
      readonly sort: 'scalar';
      readonly type: 'PLAIN' | 'QUOTE_SINGLE';
      readonly source: string;
      readonly value: string;
    }
);

/** Thrown for text that this reader cannot interpret with certainty; the yaml package parses it instead. */
class NotPlain extends Error {}

const maxDepth = 16;
const maxLineLength = 1000;
// A colon ends a key unless a character other than a space follows it; words never contain `#` or brackets.
const word = String.raw`[\w./](?:[\w./@+=%~-]|:(?=[\w./@+=%~-]))*`;
const flowText = `${word}(?: ${word})*`;
const blockText = flowText.replaceAll('@+', '@,+');
const linePattern = /^( *)([^ ].*)$/;
const entryPattern = /^([A-Za-z_][\w.-]*):(?: ([^ ].*))?$/;
const textPattern = new RegExp(`^(?:${blockText})$`);
const quotedPattern = /^(?:"([^"\\]*)"|'([^']*)')$/;
const listPattern = new RegExp(`^\\[(?:${flowText}(?:, ${flowText})*)?\\]$`);
const nullPattern = /^(?:null|Null|NULL)$/;

/**
 * Reads YAML in the form that weir itself writes: block maps and lists, one value per line, `[a, b]`, comments on
 * separate lines. Undefined for any other text, valid YAML or not. This saves every command the 8 ms for loading and
 * warming up the yaml package; test/config/plain-yaml.test.ts compares the results with that package's.
 */
export function readPlainYaml(path: string, text: string): YamlTree | undefined {
  if (!/^[\n -~]*$/.test(text)) return undefined;
  try {
    const lines = linesOf(text);
    const [first] = lines;
    if (first === undefined || first.indent !== 0) return undefined;
    const reader: Reader = { lines, at: 0, depth: 0 };
    const root = readMap(reader, 0);
    return reader.at < lines.length ? undefined : treeOf(path, root);
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

function treeOf(path: string, root: PlainNode): YamlTree {
  const is = (sort: PlainNode['sort']) => (node: unknown) => (node as PlainNode | undefined)?.sort === sort;
  return {
    path,
    yaml: {
      isMap: is('map') as YamlTree['yaml']['isMap'],
      isSeq: is('seq') as YamlTree['yaml']['isSeq'],
      isScalar: is('scalar') as YamlTree['yaml']['isScalar'],
    },
    document: { contents: nodeOf(root) },
    lineOf: (node) => (node as PlainNode).line,
    valueOf: (node) => node as Node,
  };
}

/** Casts a plain node to the package's type: it has the fields that readers use, but none of the methods. */
function nodeOf(node: PlainNode): Node & (YAMLMap.Parsed | YAMLSeq.Parsed | Scalar.Parsed) {
  return node as unknown as ReturnType<typeof nodeOf>;
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.length > maxLineLength) throw new NotPlain();
    const match = linePattern.exec(line);
    const [, indent = '', content = ''] = match ?? [];
    if (match !== null && !content.startsWith('#'))
      lines.push({ number: at + 1, indent: indent.length, text: content });
  }
  return lines;
}

interface Reader {
  readonly lines: Line[] | readonly Line[];
  at: number;
  depth: number;
}

/** Reads the map whose keys have this indent; the first key may follow a dash. */
function readMap(reader: Reader, indent: number, behindDash?: Line): PlainNode {
  const items: Pick<Pair, 'key' | 'value'>[] = [];
  let line = behindDash ?? lineAt(reader, indent);
  const start = line?.number ?? 1;
  while (line !== undefined) {
    const [, key, value] = entryPattern.exec(line.text) ?? [];
    if (key === undefined) throw new NotPlain();
    reader.at += 1;
    const read = value === undefined ? readBelow(reader, indent) : readValue(value, line.number);
    items.push({ key: nodeOf(scalar(key, line.number)), value: nodeOf(read) });
    line = lineAt(reader, indent);
  }
  return { sort: 'map', items, line: start };
}

/** Returns the next line if it has this indent; a deeper line is not plain YAML. */
function lineAt({ lines, at }: Reader, indent: number): Line | undefined {
  const line = lines[at];
  if (line !== undefined && line.indent > indent) throw new NotPlain();
  return line?.indent === indent ? line : undefined;
}

/** Reads the indented block below a key without a value. */
function readBelow(reader: Reader, indent: number): PlainNode {
  const line = reader.lines[reader.at];
  if (line === undefined || line.indent <= indent || reader.depth >= maxDepth) throw new NotPlain();
  reader.depth += 1;
  const read = line.text.startsWith('- ') ? readList(reader, line.indent) : readMap(reader, line.indent);
  reader.depth -= 1;
  return read;
}

function readList(reader: Reader, indent: number): PlainNode {
  const items: PlainNode[] = [];
  let line = lineAt(reader, indent);
  const start = line?.number ?? 1;
  while (line !== undefined) {
    if (!/^- [^ ]/.test(line.text)) throw new NotPlain();
    items.push(readItem(reader, { ...line, text: line.text.slice(2) }));
    line = lineAt(reader, indent);
  }
  return { sort: 'seq', items, line: start };
}

function readItem(reader: Reader, line: Line): PlainNode {
  if (entryPattern.test(line.text)) return readMap(reader, line.indent + 2, line);
  reader.at += 1;
  return readValue(line.text, line.number);
}

function readValue(text: string, line: number): PlainNode {
  if (listPattern.test(text)) {
    const inside = text.slice(1, -1);
    const items = inside === '' ? [] : inside.split(', ').map((item) => scalar(item, line));
    return { sort: 'seq', items, line };
  }
  const quoted = quotedPattern.exec(text);
  if (quoted === null && !textPattern.test(text)) throw new NotPlain();
  return scalar(quoted === null ? text : (quoted[1] ?? quoted[2] ?? ''), line, quoted !== null);
}

/** Null values are left to the yaml package. */
function scalar(source: string, line: number, quoted = false): PlainNode {
  if (!quoted && nullPattern.test(source)) throw new NotPlain();
  return { sort: 'scalar', type: quoted ? 'QUOTE_SINGLE' : 'PLAIN', source, value: source, line };
}
