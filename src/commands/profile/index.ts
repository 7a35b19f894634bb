import { noun } from '../../cli/command.ts';
import { clear } from './clear.ts';
import { create } from './create.ts';
import { current } from './current.ts';
import { deleteCommand } from './delete.ts';
import { describe } from './describe.ts';
import { edit } from './edit.ts';
import { list } from './list.ts';
import { print } from './print.ts';
import { prompt } from './prompt.ts';
import { rename } from './rename.ts';
import { set } from './set.ts';
import { unset } from './unset.ts';
import { use } from './use.ts';
import { validate } from './validate.ts';

/** `profile` */
export const profile = noun({
  summary: 'Manage named sets of options (one per cluster, for example)',
  groups: {
    Profiles: { create, list, 'rename-to': rename, delete: deleteCommand },
    Selection: { use, current, clear, prompt },
    Options: { set, unset, edit, print, describe, validate },
  },
});
