import { list, partlyShown } from '../../cli/command.ts';
import { toYaml } from '../../cli/output/render.ts';
import { documentShape } from '../../cluster-file/file/document.ts';
import { exportedDocument } from '../../cluster-file/plan/export.ts';
import { patternFault } from '../../cluster-file/plan/ownership.ts';
import { type Kind, text } from '../../kinds.ts';

const ownedNames: Kind<string> = {
  ...text,
  parse(value) {
    const fault = patternFault(value);
    if (fault !== undefined) throw new Error(fault);
    return value;
  },
};

/** `export` */
export const exportCommand = partlyShown({
  summary: 'Describe a cluster as a file that weir diff and weir apply read',
  description: `Prints topics with what was set on them, users, roles, ACLs, quotas, and the latest schemas of the registry if its address
is set (registry.hosts), sorted. Records, offsets, passwords, defaults and earlier versions of schemas are not part of it: a
user gets a password that comes from a variable, to fill in. weir diff finds no difference between the cluster and its
export.

With --owns, prints only what has such a name, and lets the file own it: weir diff then reports what the file does not name.`,
  examples: [
    ['The whole cluster', 'export > cluster.yaml'],
    ['What belongs to one team', "export --owns 'payments.*' > payments.yaml"],
  ],
  apis: ['kafka', 'admin', 'registry'],
  flags: {
    owns: list(ownedNames, { splits: true, help: 'names, or beginnings of names with a "*" at the end' }),
  },
  changes: 'reads',
  result: documentShape,
  async run(context, { owns }) {
    const document = await exportedDocument(context, owns);
    const { weir: _, owns: __, ...sections } = document;
    if (owns.length > 0 && Object.values(sections).every((section) => Object.keys(Object(section)).length === 0))
      context.notice('the cluster has nothing with such a name');
    return { document, yaml: await toYaml(document) };
  },
  show: { text: ({ yaml }) => yaml, json: ({ document }) => document as never },
});
