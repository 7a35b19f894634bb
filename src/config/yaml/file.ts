import type { Document, Node, Pair, Scalar, YAMLMap } from 'yaml';
import type { CliError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { configError, joinErrors } from '../layer.ts';

type Yaml = typeof import('yaml');

/** A parsed YAML file for reading. Readers walk its nodes; the document is never converted to plain objects. */
export interface YamlTree {
  readonly path: string;
  readonly yaml: Pick<Yaml, 'isMap' | 'isSeq' | 'isScalar'>;
  readonly document: Pick<Document.Parsed, 'contents'>;
  /** The line of a node, from 1; 1 for a node without a position. */
  lineOf(node: unknown): number;
  /** Returns the node itself, or the target of an alias; undefined for null. */
  valueOf(node: unknown): Node | undefined;
}

/** A YAML file parsed by the yaml package, for editing. */
export interface YamlFile extends YamlTree {
  readonly yaml: Yaml;
  readonly document: Document.Parsed;
  /** Where a node begins in the text; 0 for a node without a position. */
  offsetOf(node: unknown): number;
}

/** A text that is read as YAML. */
export interface YamlSource {
  readonly path: string;
  readonly text: string;
}

/** Makes the error about something in a text at an offset. */
export type FaultReport = (source: YamlSource, offset: number, why: string) => CliError;

/** Names the file and the line. */
function reportLine({ path, text }: YamlSource, offset: number, why: string): CliError {
  const line = text.slice(0, offset).split('\n').length;
  return configError(`unable to read ${path}:${line}: ${why}`, { target: path });
}

const maxReportedFaults = 10;

/**
 * Parses YAML 1.2. Merge keys are plain keys, and nothing is resolved or expanded. `fieldsOf` checks for duplicate
 * keys in linear time.
 * @throws CliError with file and line if the text is not YAML
 */
export async function parseYaml(path: string, text: string, report: FaultReport = reportLine): Promise<YamlFile> {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const source: YamlSource = { path, text };
  rejectDeepNesting(source, report);
  const document = compose(yaml, source, lines, report);
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  if (document.errors.length > 0) throw notYaml(document, lineAt, (offset, why) => report(source, offset, why));
  const anchors = anchorsOf(yaml, document);
  return {
    path,
    yaml,
    document,
    lineOf: (node) => lineAt(startOf(yaml, node)),
    offsetOf: (node) => startOf(yaml, node),
    valueOf(node) {
      if (!yaml.isNode(node)) return undefined;
      const value = yaml.isAlias(node) ? anchors(node.source, startOf(yaml, node)) : node;
      if (value === undefined || yaml.isAlias(value)) {
        throw report(source, startOf(yaml, node), 'an alias has no matching anchor');
      }
      return yaml.isScalar(value) && value.value === null && value.type !== 'QUOTE_DOUBLE' ? undefined : value;
    },
  };
}

const maxDepth = 100;

/** Rejects deep nesting before it exhausts the parser's stack, which would take seconds. */
function rejectDeepNesting(source: YamlSource, report: FaultReport): void {
  const inLine = /^[ \t]*(?:[-?:][ \t]+){100}/m.exec(source.text)?.index;
  const at = inLine ?? findDeepFlow(source.text);
  if (at !== undefined) throw report(source, at, 'it is nested too deeply');
}

function findDeepFlow(text: string): number | undefined {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (depth > maxDepth) return index;
  }
  return undefined;
}

function compose(yaml: Yaml, source: YamlSource, lineCounter: InstanceType<Yaml['LineCounter']>, report: FaultReport) {
  const { stackTraceLimit } = Error;
  // A hostile file causes hundreds of thousands of errors, and recording their stacks would take seconds.
  Error.stackTraceLimit = 0;
  try {
    return yaml.parseDocument(source.text, {
      version: '1.2',
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error', // `silent` would ignore a second document
      lineCounter,
    });
  } catch (error) {
    // The composer is recursive, so a file nested thousands deep exhausts the stack.
    const fault = error instanceof RangeError ? 'it is nested too deeply' : 'it is not YAML';
    throw report(source, 0, fault);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function notYaml(
  document: Document.Parsed,
  lineAt: (offset: number) => number,
  report: (offset: number, why: string) => CliError,
): CliError {
  // The first one of a line causes the others.
  const errors = document.errors.slice(0, maxReportedFaults).toReversed();
  const byLine = new Map(errors.map((error) => [lineAt(error.pos[0]), error]));
  return joinErrors([...byLine.values()].toReversed().map(({ message, pos }) => report(pos[0], faultIn(message))));
}

/** What the parser calls everyday slips, in plain words. */
const plainWords: readonly (readonly [parser: RegExp, words: string])[] = [
  [/call stack/, 'it is nested too deeply'],
  [/multiple documents/, 'it has more than one document'],
  [/^Implicit (?:map )?keys/, 'a colon and a space are missing after a name'],
  [/^Nested mappings/, 'a text with a colon and a space needs quotes, or the next line is indented too far'],
  [/^All mapping items|^Sequence item without|^A block sequence may not/, 'it is indented unlike what is beside it'],
  [/^Tabs are not/, 'a tab cannot indent, only spaces can'],
  [/^Alias cannot be an empty/, 'a text that begins with a star needs quotes'],
  [/^Missing closing .quote/, 'a quote before it is not closed'],
  [/^Flow (?:map|sequence) in .* end with/, 'a bracket before it is not closed'],
];

function faultIn(message: string): string {
  return plainWords.find(([parser]) => parser.test(message))?.[1] ?? excerpt(message.split('\n')[0] ?? '');
}

/** Finds the target of an alias, which is the last anchor of that name before it, in one walk over the file. */
function anchorsOf(yaml: Yaml, document: Document.Parsed): (name: string, before: number) => Node | undefined {
  let byName: Map<string, Node[]> | undefined;
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
    byName ??= collect();
    return byName.get(name)?.findLast((node) => startOf(yaml, node) < before);
  };
}

function startOf(yaml: Yaml, node: unknown): number {
  return yaml.isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

/** Whether enough errors were found to stop looking for more. */
export function isFull(errors: readonly CliError[]): boolean {
  return errors.length >= 100;
}

/** A pair of a map whose key is text. */
export interface Field {
  readonly key: string;
  /** The line of the key, from 1. */
  readonly line: number;
  readonly pair: Pair;
  /** The value; undefined for null. */
  readonly value: Node | undefined;
}

/** Returns the fields of a map; adds duplicate keys and keys that are not text to `errors`. */
export function fieldsOf(file: YamlTree, map: YAMLMap, errors: CliError[]): readonly Field[] {
  const fields = new Map<string, Field>();
  for (const pair of map.items) {
    if (isFull(errors)) break;
    const line = file.lineOf(pair.key);
    if (!file.yaml.isScalar(pair.key)) {
      errors.push(configError(`${file.path}:${line}: a key must be plain text`, { target: file.path }));
      continue;
    }
    const key = scalarText(pair.key);
    const first = fields.get(key);
    if (first === undefined) fields.set(key, { key, line, pair, value: file.valueOf(pair.value) });
    else {
      const message = `${file.path}:${line}: duplicate key "${excerpt(key)}" (first on line ${first.line})`;
      errors.push(configError(message, { target: file.path }));
    }
  }
  return [...fields.values()];
}

/** The text of a scalar as written: `007`, `1e3` and `yes` are not converted. */
export function scalarText(scalar: Scalar): string {
  return scalar.type === 'PLAIN' && scalar.source !== undefined ? scalar.source : String(scalar.value ?? '');
}

/** The text of a node; undefined if it is a map or a list. */
export function textOf(file: YamlTree, node: Node): string | undefined {
  return file.yaml.isScalar(node) ? scalarText(node) : undefined;
}
