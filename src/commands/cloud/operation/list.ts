import { flag, list as many } from '../../../cli/command.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { text } from '../../../kinds.ts';
import { clusters, idOf, networks } from '../find-id.ts';
import { operationView, viewColumns } from '../views.ts';

/** `cloud operation list` */
export const list = listCommand({
  summary: 'List the operations, newest last',
  examples: [
    ['All operations', 'cloud operation list'],
    [
      'Operations that are in progress on a cluster',
      'cloud operation list --resource-id cjb5vehc4vs19qc11pjg --state in_progress',
    ],
  ],
  aliases: ['ls'],
  apis: ['cloud'],
  flags: {
    state: flag(text, { help: 'list only those in this state: in_progress, completed or failed' }),
    type: many(text, { help: 'list only those of this type, for example create_cluster', splits: true }),
    resourceId: flag(text, { help: 'list only those of this resource (id, or name of a cluster or network)' }),
  },
  row: operationView.row,
  async read(context, { state, type, resourceId }) {
    const filters = {
      state: state && withPrefix('STATE_', state),
      type_in: type.map((one) => withPrefix('TYPE_', one)),
      resource_id: resourceId && (await idOf(context, { kinds: [clusters, networks], isOpen: true }, resourceId)),
    };
    return await (await context.cloud()).listOperations(filters);
  },
  ...viewColumns(operationView),
});

function withPrefix(prefix: string, word: string): string {
  const upper = word.toUpperCase().replaceAll('-', '_');
  return upper.startsWith(prefix) ? upper : prefix + upper;
}
