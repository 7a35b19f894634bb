import type { Document, Node, Pair, Scalar, YAMLMap } from 'yaml';
import type { CliError } from '../../errors.ts';
import { configError, excerpt, joinErrors } from '../resolve/layer.ts';

type Yaml = typeof import('yaml');

/** What reading a YAML file takes: nodes, told apart and found again. Nothing is ever turned into plain objects as a whole. */
export interface YamlTree {
  readonly path: string;
  readonly yaml: Pick<Yaml, 'isMap' | 'isSeq' | 'isScalar'>;
  readonly document: Pick<Document.Parsed, 'contents'>;
  /** The line, from 1, of a node; 1 for one that has no place. */
  lineOf(node: unknown): number;
  /** The node itself, or what an alias stands for; undefined for null. */
  valueOf(node: unknown): Node | undefined;
}

/** A YAML file as the yaml package parsed it: what editing takes. */
export interface YamlFile extends YamlTree {
  readonly yaml: Yaml;
  readonly document: Document.Parsed;
}

const maxReportedFaults = 10;

/**
 * Parses YAML 1.2. Merge keys are plain keys, nothing is resolved or expanded while reading, and keys
 * are checked for duplicates by `pairsOf`, in linear time.
 * @throws CliError with file and line when it is not YAML
 */
export async function parseYaml(path: string, text: string): Promise<YamlFile> {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  rejectDeepNesting(path, text);
  const document = compose(yaml, path, text, lines);
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  if (document.errors.length > 0) throw notYaml(path, document, lineAt);
  const anchors = anchorsOf(yaml, document);
  return {
    path,
    yaml,
    document,
    lineOf: (node) => lineAt(startOf(yaml, node)),
    valueOf(node) {
      if (!yaml.isNode(node)) return undefined;
      const value = yaml.isAlias(node) ? anchors(node.source, startOf(yaml, node)) : node;
      if (value === undefined || yaml.isAlias(value)) {
        const line = lineAt(startOf(yaml, node));
        throw configError(`unable to read ${path}:${line}: an alias stands for nothing`, { target: path });
      }
      return yaml.isScalar(value) && value.value === null && value.type !== 'QUOTE_DOUBLE' ? undefined : value;
    },
  };
}

const maxDepth = 100;

/** Refuses what would exhaust the parser's stack, before it takes seconds to do so. */
function rejectDeepNesting(path: string, text: string): void {
  const inLine = /^[ \t]*(?:[-?:][ \t]+){100}/m.exec(text)?.index;
  const at = inLine ?? findDeepFlow(text);
  if (at === undefined) return;
  const line = text.slice(0, at).split('\n').length;
  throw configError(`unable to read ${path}:${line}: it is nested too deeply`, { target: path });
}

function findDeepFlow(text: string): number | undefined {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (depth > maxDepth) return index;
  }
  return undefined;
}

function compose(yaml: Yaml, path: string, text: string, lineCounter: InstanceType<Yaml['LineCounter']>) {
  const { stackTraceLimit } = Error;
  // A hostile file yields errors by the hundred thousand; recording their stacks would take seconds.
  Error.stackTraceLimit = 0;
  try {
    return yaml.parseDocument(text, {
      version: '1.2',
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error', // `silent` would pass over a second document
      lineCounter,
    });
  } catch (error) {
    // The composer recurses: a file nested thousands deep exhausts the stack.
    const fault = error instanceof RangeError ? 'it is nested too deeply' : 'it is not YAML';
    throw configError(`unable to read ${path}:1: ${fault}`, { target: path, cause: error });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function notYaml(path: string, document: Document.Parsed, lineAt: (offset: number) => number): CliError {
  const faults = document.errors.slice(0, maxReportedFaults).map(({ message, pos }) => {
    // The parser reports its own exhausted stack like a fault of the text.
    const reason = message.includes('call stack') ? 'it is nested too deeply' : excerpt(message.split('\n')[0] ?? '');
    return `unable to read ${path}:${lineAt(pos[0])}: ${reason}`;
  });
  return joinErrors([...new Set(faults)].map((fault) => configError(fault, { target: path })));
}

/** Finds what an alias stands for: the last anchor of that name before it. One walk over the file. */
function anchorsOf(yaml: Yaml, document: Document.Parsed): (name: string, before: number) => Node | undefined {
  let found: Map<string, Node[]> | undefined;
  const collect = () => {
    const anchors = new Map<string, Node[]>();
    yaml.visit(document, {
      Value(_key, node) {
        if (node.anchor === undefined) return;
        const nodes = anchors.get(node.anchor);
        if (nodes === undefined) anchors.set(node.anchor, [node]);
        else nodes.push(node);
      },
    });
    return anchors;
  };
  return (name, before) => {
    found ??= collect();
    return found.get(name)?.findLast((node) => startOf(yaml, node) < before);
  };
}

function startOf(yaml: Yaml, node: unknown): number {
  return yaml.isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

/** Whether so many faults were found that looking for more helps nobody. */
export function isFull(errors: readonly CliError[]): boolean {
  return errors.length >= 100;
}

/** A key of a map with its value, the key known to be text. */
export interface Field {
  readonly key: string;
  /** Of the key, from 1. */
  readonly line: number;
  readonly pair: Pair;
  /** Undefined for null. */
  readonly value: Node | undefined;
}

/** The fields of a map; a duplicate key, or one that is not text, goes to `errors`. */
export function fieldsOf(file: YamlTree, map: YAMLMap, errors: CliError[]): readonly Field[] {
  const fields = new Map<string, Field>();
  for (const pair of map.items) {
    if (isFull(errors)) break;
    const line = file.lineOf(pair.key);
    if (!file.yaml.isScalar(pair.key)) {
      errors.push(configError(`${file.path}:${line}: a key is not plain text`, { target: file.path }));
      continue;
    }
    const key = scalarText(pair.key);
    const first = fields.get(key);
    if (first === undefined) fields.set(key, { key, line, pair, value: file.valueOf(pair.value) });
    else {
      const message = `${file.path}:${line}: duplicate key "${excerpt(key)}" (first in line ${first.line})`;
      errors.push(configError(message, { target: file.path }));
    }
  }
  return [...fields.values()];
}

/** A scalar's text as it was written: `007`, `1e3` and `yes` stay what they are. */
export function scalarText(scalar: Scalar): string {
  return scalar.type === 'PLAIN' && scalar.source !== undefined ? scalar.source : String(scalar.value ?? '');
}

/** A node as text for a field that holds text; undefined when it is a map or a list. */
export function textOf(file: YamlTree, node: Node): string | undefined {
  return file.yaml.isScalar(node) ? scalarText(node) : undefined;
}
