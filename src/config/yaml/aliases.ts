import type { Alias, Node } from 'yaml';
import type { YamlFile } from './file.ts';

/*
 * Aliases (`*name`) make two places of a file one: an edit of one would change the other. Before an edit, the places
 * that it touches are made their own.
 */

/** Puts a copy of what it stands for in the place of every alias that `isMeant`; whether there was one. */
export function expandAliases(file: YamlFile, isMeant: (alias: Alias, target: Node) => boolean): boolean {
  const { yaml, document } = file;
  // Found first, replaced then: a copy may hold aliases of its own, even of itself.
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
    return undefined; // reading has reported it
  }
}

/** A copy without the anchors, which stay with the original. */
function copyOf({ yaml }: YamlFile, target: Node): Node {
  const copy = target.clone() as Node;
  yaml.visit(copy, {
    Value(_key, node) {
      delete node.anchor;
    },
  });
  return copy;
}

/** Every node in and below these. */
export function nodesBelow({ yaml }: YamlFile, roots: Iterable<Node | undefined>): ReadonlySet<Node> {
  const found = new Set<Node>();
  for (const root of roots) {
    if (root === undefined) continue;
    yaml.visit(root, { Node: (_key, node) => void found.add(node) });
  }
  return found;
}
