import { noun } from '../../cli/command.ts';
import { user as resource } from '../../cloud/cloud-rows.ts';
import { users } from './find-id.ts';
import { identifier } from './kinds.ts';
import { getResource, listResources } from './resource-verbs.ts';
import { userView } from './views.ts';

/** `cloud user` */
export const user = noun({
  summary: 'Show the users of the organization',
  commands: {
    list: listResources(userView, {
      summary: 'List the users of the organization',
      examples: [
        ['All users', 'cloud user list'],
        ['As data', 'cloud user list --format json'],
      ],
      read: (cloud) => cloud.listUsers(),
    }),
    get: getResource(
      { resource, findable: users, word: [identifier, 'id, name or email address of the user'] },
      {
        examples: [
          ['By its id', 'cloud user get cjb5uh9c4vs1td8emmcg'],
          ['As data', 'cloud user get cjb5uh9c4vs1td8emmcg --format json'],
        ],
      },
    ),
  },
});
