import { flag, noun, one } from '../../cli/command.ts';
import { getCommand, listCommand } from '../../cli/forms/read.ts';
import { words } from '../../cloud/api/cloud-words.ts';
import { pathOfAll, pathOfOne, roleBinding as resource } from '../../cloud/cloud-rows.ts';
import { text } from '../../kinds.ts';
import { bodyFlags, fileFlag, readBody, withIds } from './body.ts';
import { cloudChange, gone } from './change.ts';
import { identifier, wordKind } from './kinds.ts';
import { roleBindingShape } from './shapes.ts';
import { detail, roleBindingView, viewColumns } from './views.ts';

const create = cloudChange({
  summary: 'Give an account a role on a resource',
  examples: [
    [
      'Read access to a cluster',
      'cloud role-binding create --role-name Reader --account-id cjb5uh9c4vs1td8emmcg --resource-id cjb5vehc4vs19qc11pjg --resource-type cluster',
    ],
    ['From a file', 'cloud role-binding create --file binding.yaml'],
  ],
  flags: { ...bodyFlags(roleBindingShape), file: fileFlag },
  changes: 'creates',
  resource,
  plan: async (context, values) =>
    withIds(context, roleBindingShape, await readBody(context, roleBindingShape, values)),
  request: (body) => ({ method: 'POST', path: pathOfAll(resource), body }),
  apply: async (context, body) => (await context.cloud()).createRoleBinding(body),
});

const list = listCommand({
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
  row: roleBindingView.row,
  async read(context, { roleName, resourceType }) {
    const rows = await (await context.cloud()).listRoleBindings({
      role_name: roleName,
      'scope.resource_type': resourceType,
    });
    return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  },
  ...viewColumns(roleBindingView),
});

const get = getCommand({
  summary: 'Show a role binding',
  examples: [
    ['By its id', 'cloud role-binding get cjb5uh9c4vs1td8emmcg'],
    ['As data', 'cloud role-binding get cjb5uh9c4vs1td8emmcg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id of the role binding') },
  row: resource.row,
  read: async (context, { id }) => (await context.cloud()).getRoleBinding(id),
  text: detail,
});

const deleteCommand = cloudChange({
  summary: 'Take a role away from an account',
  examples: [
    ['By its id', 'cloud role-binding delete cjb5uh9c4vs1td8emmcg'],
    ['Without a prompt', 'cloud role-binding delete cjb5uh9c4vs1td8emmcg --yes'],
  ],
  args: { id: one(identifier, 'ID', 'id of the role binding') },
  changes: 'destroys',
  resource,
  plan: async (context, { id }) => ({ ...(await (await context.cloud()).getRoleBinding(id)), id }),
  asks: ({ id, role_name: role, account_id: account, scope }) => ({
    question: `Delete the role binding "${id}" (${role} for ${account} on ${scope.resource_id})`,
    name: id,
  }),
  request: ({ id, role_name: role }) => ({ method: 'DELETE', path: pathOfOne(resource, id), target: role }),
  async apply(context, { id, role_name: name }) {
    await (await context.cloud()).deleteRoleBinding(id);
    return gone(id, name);
  },
});

/** `cloud role-binding` */
export const roleBinding = noun({
  summary: 'Give roles to users and service accounts',
  commands: { create, list, get, delete: deleteCommand },
});
