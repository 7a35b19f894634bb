import { noun } from '../../cli/command.ts';
import { acl } from './acl/index.ts';
import { user } from './user/index.ts';

/** `security` */
export const security = noun({
  summary: 'Manage access: ACLs and users',
  aliases: ['sec'],
  commands: { acl, user },
});
