import { flag, list } from '../../cli/command.ts';
import { withSelection } from '../../cli/help/selection-flags.ts';
import { toYaml } from '../../cli/output/render.ts';
import type { Sections } from '../../cluster-file/kinds/kind.ts';
import { patternFault, strangersIn } from '../../cluster-file/plan/ownership.ts';
import { splitDocument } from '../../cluster-file/plan/split.ts';
import type { Context } from '../../context.ts';
import { count } from '../../format/count.ts';
import { inNumber, shortList } from '../../format/name-lists.ts';
import { commandText } from '../../format/shell-word.ts';
import { type Kind, outputPath, text } from '../../kinds.ts';
import { writeSplitFolder } from './split-folder.ts';

const ownedNames: Kind<string> = {
  ...text,
  parse(value) {
    const fault = patternFault(value);
    if (fault !== undefined) throw new Error(fault);
    return value;
  },
};

const folderPath: Kind<string> = { ...outputPath, hint: 'FOLDER', completes: 'directory' };

/** The flags of commands that make a document. */
export const documentFlags = {
  owns: list(ownedNames, { splits: true, help: 'names, or beginnings of names with a "*" at the end' }),
  split: flag(folderPath, { help: 'write a file for each kind into this folder' }),
} as const;

/** What help says about --split, for a command that has it. */
export const splitHelp = `With --split, writes a folder instead: topics.yaml, users.yaml, access.yaml and so on, and each schema as a file of its own.
The next time, it replaces only files that are as weir wrote them, keeps the references to passwords, and names the files
that it leaves, or does not write because another file in the folder has entries of them.`;

/** A document, and the text that is printed of it. */
export interface DocumentOutput {
  readonly document: Sections;
  readonly yaml: string;
}

/** Writes a document into the folder of --split; without one, it is printed. @param source what it describes, in words */
export async function documentOutput(
  context: Context,
  document: Sections,
  {
    owns,
    split,
    source,
  }: { readonly owns: readonly string[]; readonly split: string | undefined; readonly source: string },
): Promise<DocumentOutput> {
  const { weir: _, owns: __, ...sections } = document;
  if (owns.length > 0 && Object.values(sections).every((section) => Object.keys(Object(section)).length === 0))
    context.notice(`${source} nothing with such a name`);
  const strangers = strangersIn(document, owns);
  if (strangers.length > 0)
    context.noticeAfter(`without users and quotas of ${shortList(strangers)}, which --owns does not match`);
  if (split === undefined) return { document, yaml: await toYaml(document) };
  const files = splitDocument(document);
  const { removed, left, moved } = await writeSplitFolder(context, split, files);
  const written = files.filter(({ path }) => !left.includes(path) && !moved.has(path)).length;
  const without = removed === 0 ? '' : `, removed ${removed}`;
  const compare = withSelection(context, commandText`compare with: weir diff ${split}`);
  if (left.length > 0) {
    const why = `${inNumber(left, 'it was', 'they were')} edited, or not written by weir`;
    context.warn(`left ${shortList(left)} in ${split}, because ${why}`);
  }
  for (const [path, place] of moved)
    context.warn(`did not write ${path} in ${split}, because ${place} has entries of it`);
  context.noticeAfter(`wrote ${count(written, 'file')}${without}; ${compare}`);
  return { document, yaml: '' };
}

/** How a document is shown. */
export const showDocument = {
  text: ({ yaml }: DocumentOutput) => yaml,
  json: ({ document }: DocumentOutput) => document as never,
} as const;
