import type { Node } from 'yaml';
import { expandAliases, nodesBelow } from '../yaml/aliases.ts';
import { fieldsOf } from '../yaml/file.ts';
import { type ProfileFile, parseProfileFile } from './file.ts';
import { fieldIn, findOption, listOf, print, requireStored } from './stored-nodes.ts';

/**
 * The file with the parts of a profile that an edit touches made its own: aliases on the way to them are expanded in
 * place, and so are aliases elsewhere of what the edit changes. `key`: the edit is about one option, else about all.
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

/** The nodes, aliases as such, from a profile's item in the list down to the value of one option, or to its options. */
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
