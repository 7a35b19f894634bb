import type { Alias, Node } from 'yaml';
import { fieldsOf, type YamlFile } from '../yaml/file.ts';
import { type ProfileFile, parseProfileFile } from './file.ts';
import { fieldIn, findOption, listOf, print, requireStored } from './stored-nodes.ts';

/**
 * Prepares a profile for an edit by removing shared nodes: expands the aliases on the path to the edited nodes, and
 * the aliases elsewhere that refer to them. With `key`, the edit changes that option only, otherwise any part.
 */
export async function ownProfile(file: ProfileFile, name: string, key?: string): Promise<ProfileFile> {
  if (!file.text.includes('*') || file.errors.length > 0) return file;
  const onTheWay = new Set<Node>(touched(file, name, key));
  const own = expandAliases(file.yaml, (alias) => onTheWay.has(alias)) ? await reread(file) : file;
  if (own !== file) return await ownProfile(own, name, key);
  const changed = key === undefined ? nodesBelow(file.yaml, onTheWay) : onTheWay;
  const isElsewhere = expandAliases(file.yaml, (alias, target) => changed.has(target) && !changed.has(alias));
  return isElsewhere ? await reread(file) : file;
}

async function reread(file: ProfileFile): Promise<ProfileFile> {
  return await parseProfileFile(file.path, print(file));
}

/** The nodes (aliases unresolved) from a profile's list item down to the value of one option, or to its options. */
function touched(file: ProfileFile, name: string, key: string | undefined): Iterable<Node> {
  const { yaml } = file.yaml;
  const { node } = requireStored(file, name);
  const nodes = new Set<Node>();
  const add = (value: unknown): void => {
    if (yaml.isNode(value)) nodes.add(value);
  };
  listOf(file)
    .items.filter((item) => file.yaml.valueOf(item) === node)
    .forEach(add);
  for (const { key: field, pair } of fieldsOf(file.yaml, node, [])) {
    if (key === undefined || field === 'options') add(pair.value);
  }
  const options = fieldIn(file, node, 'options')?.value;
  if (key === undefined || !yaml.isMap(options)) return nodes;
  for (const { field } of findOption(file, options, key) ?? []) {
    add(field.pair.value);
    for (const below of nodesBelow(file.yaml, [field.value])) add(below);
  }
  return nodes;
}

/*
 * With aliases (`*name`), two places of a file share one value, so an edit of one would change the other. Before an
 * edit, the aliases it would affect are replaced by copies.
 */

/** Replaces every alias for which `isMeant` returns true by a copy of its target; returns whether there was one. */
function expandAliases(file: YamlFile, isMeant: (alias: Alias, target: Node) => boolean): boolean {
  const { yaml, document } = file;
  // Two passes: a copy may contain aliases, even of itself.
  const copies = new Map<Alias, Node>();
  yaml.visit(document, {
    Alias(_key, alias) {
      const target = targetOf(file, alias);
      if (target !== undefined && isMeant(alias, target)) copies.set(alias, copyOf(file, target));
    },
  });
  if (copies.size > 0) yaml.visit(document, { Alias: (_key, alias) => copies.get(alias) });
  return copies.size > 0;
}

function targetOf(file: YamlFile, alias: Alias): Node | undefined {
  try {
    return file.valueOf(alias);
  } catch {
    return undefined; // already reported while reading
  }
}

/** Copies a node without its anchors, which stay with the original. */
function copyOf({ yaml }: YamlFile, target: Node): Node {
  const copy = target.clone() as Node;
  yaml.visit(copy, {
    Value(_key, node) {
      delete node.anchor;
    },
  });
  return copy;
}

/** Collects the given nodes and all nodes below them. */
function nodesBelow({ yaml }: YamlFile, roots: Iterable<Node | undefined>): ReadonlySet<Node> {
  const found = new Set<Node>();
  for (const root of roots) {
    if (root === undefined) continue;
    yaml.visit(root, { Node: (_key, node) => void found.add(node) });
  }
  return found;
}
