import { noun } from '../../cli/command.ts';
import { acl } from './acl/index.ts';
import { role } from './role/index.ts';
import { secret } from './secret/index.ts';
import { user } from './user/index.ts';
import { whoami } from './whoami.ts';

/** `security` */
export const security = noun({
  summary: 'Manage access: ACLs, users, roles and secrets',
  aliases: ['sec'],
  commands: { acl, user, role, secret, whoami },
});
