import type { Alias, Node } from 'yaml';
import type { YamlFile } from './file.ts';

/*
 * With aliases (`*name`), two places of a file share one value, so an edit of one would change the other. Before an
 * edit, the aliases it would affect are replaced by copies.
 */

/** Replaces every alias for which `isMeant` returns true by a copy of its target; returns whether there was one. */
export function expandAliases(file: YamlFile, isMeant: (alias: Alias, target: Node) => boolean): boolean {
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
export function nodesBelow({ yaml }: YamlFile, roots: Iterable<Node | undefined>): ReadonlySet<Node> {
  const found = new Set<Node>();
  for (const root of roots) {
    if (root === undefined) continue;
    yaml.visit(root, { Node: (_key, node) => void found.add(node) });
  }
  return found;
}
