import { many, partlyShown } from '../../cli/command.ts';
import { documentShape } from '../../cluster-file/file/document.ts';
import { importedDocument } from '../../cluster-file/import/import.ts';
import { documentFlags, documentOutput, showDocument, splitHelp } from './document-output.ts';
import { clusterFile, filesHelp } from './plan-flags.ts';
import { readSources } from './sources.ts';

/** `import` */
export const importCommand = partlyShown({
  summary: 'Convert files of other tools to a file that weir diff and weir apply read',
  description: `Reads the files of topicctl, Strimzi, Jikkou and the Redpanda operator, and the output of terraform show -json with
the providers of Mongey, Confluent and Redpanda. They are told apart by their content and can be mixed. Prints one cluster
file, as weir export does, and connects to nothing.

${splitHelp}

With --owns, takes only what has such a name, and lets the file own it: weir diff then reports what the file does not name.

Lists on standard error what was left out or could not be read, and then what has no counterpart in a cluster file, each
with its first place and how often it is there. Passwords are not read: a user gets a password that comes from a variable, to fill in. Templates
must be rendered first.

Exits with 0 whatever is listed, and with 2 if a file is in none of these formats.`,
  examples: [
    ['A folder of topicctl', 'import topics/ acls/ > cluster.yaml'],
    ['What runs in Kubernetes', 'import - < resources.yaml > cluster.yaml'],
    ['A state of Terraform', 'import state.json > cluster.yaml'],
    [
      'One team, with a file for each kind',
      "import state.json --owns 'payments.*' --owns 'payments-*' --split payments",
    ],
  ],
  args: { files: many(clusterFile, 'FILE', filesHelp) },
  flags: documentFlags,
  changes: 'reads',
  result: documentShape,
  async run(context, { files, owns, split }) {
    const { document, losses } = await importedDocument(await readSources(context, files), owns);
    for (const line of losses) context.notice(line);
    return await documentOutput(context, document, { owns, split, source: 'the files have' });
  },
  show: showDocument,
});
