import type { Command, Entry, Noun } from '../command.ts';

/** A command with the words that lead to it. */
export interface Leaf {
  readonly path: readonly string[];
  readonly command: Command;
}

/** A noun with the words that lead to it. */
export interface Branch {
  readonly path: readonly string[];
  readonly noun: Noun;
}

/** Every command and noun of the tree, loaded, in the order of the help. */
export async function walkTree(entries: readonly Entry[]): Promise<readonly (Leaf | Branch)[]> {
  const targets: (Leaf | Branch)[] = [];
  const visit = (target: Command | Noun, path: readonly string[]) => {
    if (target.type === 'command') return void targets.push({ path, command: target });
    targets.push({ path, noun: target });
    for (const [name, child] of Object.entries(target.commands)) visit(child, [...path, name]);
  };
  for (const entry of entries) visit(await entry.load(), [entry.name]);
  return targets;
}

/** The leaves among the nodes of the tree. */
export function leavesOf(nodes: readonly (Leaf | Branch)[]): readonly Leaf[] {
  return nodes.filter((node): node is Leaf => 'command' in node);
}
