import { command, flag } from '../../../cli/command.ts';
import { words } from '../../../cloud/api/cloud-words.ts';
import { text } from '../../../kinds.ts';
import { listOf } from '../../../shape/shape.ts';
import { wordKind } from '../kinds.ts';
import { listShow, roleBindingView } from '../views.ts';

/** `cloud role-binding list` */
export const list = command({
  summary: 'List the role bindings',
  examples: [
    ['All role bindings', 'cloud role-binding list'],
    ['Administrators of clusters', 'cloud role-binding list --role-name Admin --resource-type cluster'],
  ],
  aliases: ['ls'],
  apis: ['cloud'],
  flags: {
    roleName: flag(text, { help: 'list only those of this role' }),
    resourceType: flag(wordKind(words.scope), {
      help: `list only those for this type of resource: ${words.scope.short.join(', ')}`,
    }),
  },
  changes: 'reads',
  result: listOf(roleBindingView.row),
  async run(context, { roleName, resourceType }) {
    const rows = await (await context.cloud()).listRoleBindings({
      role_name: roleName,
      'scope.resource_type': resourceType,
    });
    return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  },
  show: listShow(roleBindingView),
});
