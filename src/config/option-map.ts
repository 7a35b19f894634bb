import { dirname } from 'node:path';
import type { Node, YAMLMap } from 'yaml';
import { configError, type Draft, invalidValue, putItems, putText, unknownOption } from './layer.ts';
import { anchored, isOptionKey, type OptionKey, optionKeys } from './options.ts';
import { fieldsOf, isFull, scalarText, type YamlTree } from './yaml/file.ts';

/** Describes a line of a file, for example `weir.yaml:12 (profile prod)`. */
export type Origin = (line: number) => string;

const maxItems = 1000;

/** Reads a map of options into the draft; keys are dotted (`tls.enabled`) or nested (`tls: { enabled: … }`). */
export async function readOptionMap(file: YamlTree, map: YAMLMap, draft: Draft, origin: Origin): Promise<void> {
  await readBelow(file, map, '', { draft, origin, lines: new Map() });
}

interface Target {
  readonly draft: Draft;
  readonly origin: Origin;
  readonly lines: Map<OptionKey, number>;
}

async function readBelow(file: YamlTree, map: YAMLMap, prefix: string, target: Target): Promise<void> {
  const { errors } = target.draft;
  for (const { key: name, line, value } of fieldsOf(file, map, errors)) {
    if (isFull(errors)) return;
    const key = prefix + name.toLowerCase();
    const isBelow = isSection(key) && (value === undefined ? !isOptionKey(key) : file.yaml.isMap(value));
    if (!isBelow) await readOption(file, key, { line, value }, target);
    // A secret is an option and a section: `pass: { command: … }`.
    else if (file.yaml.isMap(value)) await readBelow(file, value, `${key}.`, target);
  }
}

async function readOption(
  file: YamlTree,
  key: string,
  { line, value }: { readonly line: number; readonly value: Node | undefined },
  { draft, origin, lines }: Target,
): Promise<void> {
  if (!isOptionKey(key)) return void draft.errors.push(await unknownOption(key, origin(line)));
  const first = lines.get(key);
  if (first !== undefined) {
    draft.errors.push(configError(`duplicate key "${key}" in ${origin(line)} (first on line ${first})`));
    return;
  }
  lines.set(key, line);
  if (value !== undefined) putNode(file, value, draft, [key, origin(line)]);
}

function isSection(key: string): boolean {
  return optionKeys.some((option) => option.startsWith(`${key}.`));
}

/** Reads a node as the value of an option: a scalar by its source text, a list item by item. */
export function putNode(file: YamlTree, node: Node, draft: Draft, [key, origin]: readonly [OptionKey, string]): void {
  const { yaml } = file;
  if (yaml.isScalar(node)) {
    // A file means the same wherever weir runs, so its paths are relative to it.
    putText(draft, key, anchored(key, scalarText(node), { cwd: dirname(file.path) }), origin);
    return;
  }
  if (!yaml.isSeq(node)) {
    draft.errors.push(invalidValue(key, 'expected one value, but found a map', origin));
    return;
  }
  const items = node.items.slice(0, maxItems + 1).map((item) => file.valueOf(item));
  if (items.length > maxItems) draft.errors.push(invalidValue(key, `the list has more than ${maxItems} items`, origin));
  else if (items.every((item) => yaml.isScalar(item))) putItems(draft, key, items.map(scalarText), origin);
  else draft.errors.push(invalidValue(key, 'a list item is empty or is not a single value', origin));
}
