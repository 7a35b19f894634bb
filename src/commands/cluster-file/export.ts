import { list, partlyShown } from '../../cli/command.ts';
import { documentShape } from '../../cluster-file/file/document.ts';
import { exportedDocument } from '../../cluster-file/plan/export.ts';
import { clusterIdOf } from '../../cluster-file/plan/plan.ts';
import { usageError } from '../../errors.ts';
import { profileName } from '../profile/profile-name.ts';
import { documentFlags, documentOutput, showDocument, splitHelp } from './document-output.ts';

/** `export` */
export const exportCommand = partlyShown({
  summary: 'Describe a cluster as a file that weir diff and weir apply read',
  description: `Prints topics and groups with what was set on them, users, roles, ACLs, quotas, client metrics and, without
--owns, the configs of the cluster, all sorted. If the address of the schema registry is set
(registry.hosts), its latest schemas and its ACLs are included. Records, offsets, passwords, defaults and earlier versions
of schemas are not: a user gets a password that comes from a variable, to fill in. weir diff finds no difference between the
cluster and its export.

${splitHelp}

With --owns, prints only what has such a name, and lets the file own it: weir diff then reports what the file does not name.`,
  examples: [
    ['The whole cluster', 'export > cluster.yaml'],
    ['A folder with a file for each kind', 'export --split exported'],
    ['What belongs to one team', "export --owns 'payments.*' --owns 'payments-*' > payments.yaml"],
  ],
  apis: ['kafka', 'admin', 'registry'],
  flags: {
    ...documentFlags,
    profile: list(profileName, { help: 'profile to use' }),
  },
  changes: 'reads',
  result: documentShape,
  async run(context, { owns, split, profile }) {
    if (new Set(profile).size > 1)
      throw usageError('an export is of one cluster: use one --profile', { target: '--profile' });
    const document = await exportedDocument(context, owns);
    const { yaml } = await documentOutput(context, document, { owns, split, source: 'the cluster has' });
    return { document, yaml: split === undefined ? withId(yaml, await clusterIdOf(context)) : '' };
  },
  show: showDocument,
});

/** The file with the line that refuses other clusters, as a comment: an export may be for another one. */
function withId(yaml: string, id: string | null): string {
  return id === null
    ? yaml
    : yaml.replace('\n', `\n# cluster: {id: ${id}} # remove the first # to refuse other clusters\n`);
}
