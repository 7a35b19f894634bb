import { flag, list, partlyShown } from '../../cli/command.ts';
import { withSelection } from '../../cli/help/selection-flags.ts';
import { toYaml } from '../../cli/output/render.ts';
import { documentShape } from '../../cluster-file/file/document.ts';
import { exportedDocument } from '../../cluster-file/plan/export.ts';
import { patternFault } from '../../cluster-file/plan/ownership.ts';
import { clusterIdOf } from '../../cluster-file/plan/plan.ts';
import { splitDocument } from '../../cluster-file/plan/split.ts';
import { usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { commandText } from '../../format/shell-word.ts';
import { type Kind, outputPath, text } from '../../kinds.ts';
import { profileName } from '../profile/profile-name.ts';
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

/** `export` */
export const exportCommand = partlyShown({
  summary: 'Describe a cluster as a file that weir diff and weir apply read',
  description: `Prints topics and groups with what was set on them, users, roles, ACLs, quotas, client metrics and, without
--owns, the configs of the cluster, all sorted. If the address of the schema registry is set
(registry.hosts), its latest schemas and its ACLs are included. Records, offsets, passwords, defaults and earlier versions
of schemas are not: a user gets a password that comes from a variable, to fill in. weir diff finds no difference between the
cluster and its export.

With --split, writes a folder instead: topics.yaml, users.yaml, access.yaml and so on, and each schema as a file of its own.
A second export into the same folder updates it, and touches nothing that no export has written.

With --owns, prints only what has such a name, and lets the file own it: weir diff then reports what the file does not name.`,
  examples: [
    ['The whole cluster', 'export > cluster.yaml'],
    ['A folder with a file for each kind', 'export --split exported'],
    ['What belongs to one team', "export --owns 'payments.*' > payments.yaml"],
  ],
  apis: ['kafka', 'admin', 'registry'],
  flags: {
    owns: list(ownedNames, { splits: true, help: 'names, or beginnings of names with a "*" at the end' }),
    profile: list(profileName, { help: 'profile to use' }),
    split: flag(folderPath, { help: 'write a file for each kind into this folder' }),
  },
  changes: 'reads',
  result: documentShape,
  async run(context, { owns, split, profile }) {
    if (new Set(profile).size > 1)
      throw usageError('an export is of one cluster: use one --profile', { target: '--profile' });
    const document = await exportedDocument(context, owns);
    const { weir: _, owns: __, ...sections } = document;
    if (owns.length > 0 && Object.values(sections).every((section) => Object.keys(Object(section)).length === 0))
      context.notice('the cluster has nothing with such a name');
    if (split === undefined) return { document, yaml: withId(await toYaml(document), await clusterIdOf(context)) };
    const files = splitDocument(document);
    const removed = await writeSplitFolder(context, split, files);
    const without = removed === 0 ? '' : `, removed ${removed}`;
    const compare = withSelection(context, commandText`compare with: weir diff ${split}`);
    context.noticeAfter(`wrote ${count(files.length, 'file')}${without}; ${compare}`);
    return { document, yaml: '' };
  },
  show: { text: ({ yaml }) => yaml, json: ({ document }) => document as never },
});

/** The file with the line that refuses other clusters, as a comment: an export may be for another one. */
function withId(yaml: string, id: string | null): string {
  return id === null
    ? yaml
    : yaml.replace('\n', `\n# cluster: {id: ${id}} # remove the first # to refuse other clusters\n`);
}
