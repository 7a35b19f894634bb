import { command, flag, toggle } from '../../../cli/command.ts';
import { path } from '../../../kinds.ts';
import { nameOfFile, readTextFile } from '../../text-file.ts';
import { checkWait, waitFlags } from '../wait.ts';
import { ChangedConfig } from './change-text.ts';
import { confirmationOf, makePlanned, outcomeText, planText } from './import-steps.ts';

/** `cluster config import` */
export const importCommand = command({
  summary: 'Make the properties of the cluster those of a YAML file',
  description: `Changes what differs from the file, all with one request. A property that is set on the cluster but
missing in the file gets its default, except tunable properties unless --all is given.

Unknown keys and values of the wrong type are refused before anything is changed. If the cluster refuses a value,
nothing is changed, and each reason is shown. "[secret]" leaves a secret as it is.`,
  examples: [
    ['Show what would change', 'cluster config import --file cluster.yaml --dry-run'],
    ['Wait until every broker has the change', 'cluster config import --file cluster.yaml --wait'],
    ['From standard input, without a prompt', 'cluster config import --file - --yes'],
  ],
  apis: ['admin'],
  flags: {
    file: flag(path, {
      short: 'f',
      aliases: ['filename'],
      required: true,
      help: 'file to read, as cluster config export writes it; "-": standard input',
    }),
    all: toggle({ help: 'also reset tunable properties that are missing in the file' }),
    ...waitFlags('every broker has the change'),
  },
  changes: 'destroys',
  result: ChangedConfig,
  async plan(context, { file, all, ...values }) {
    checkWait(values);
    const text = await readTextFile(context, file);
    const admin = await context.admin();
    const schema = await admin.configSchema();
    const now = await admin.configuration();
    return await planText(context, { name: nameOfFile(file), text, schema, now, extent: { all } });
  },
  confirm: (_context, _values, plan) => confirmationOf(plan),
  run(context, how, plan) {
    return makePlanned(context, plan, how);
  },
  show: { text: outcomeText },
});
