import { noun } from '../../cli/command.ts';
import { hiddenOnes } from '../old-spelling.ts';
import { acl } from './acl/index.ts';
import { user } from './user/index.ts';

/** `acl`, rpk's old spelling of `security acl` and `security user`; hidden. */
export const oldAcl = noun({
  summary: 'The same as security acl and security user',
  hidden: true,
  commands: hiddenOnes({ ...acl.commands, user }, (line) => line.replace(/^security (acl )?/, 'acl ')),
});
