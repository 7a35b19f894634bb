import { noun } from '../../../cli/command.ts';
import { contextFlags } from '../../schema-context.ts';
import { checkCompatibility } from './check-compatibility.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { diff } from './diff.ts';
import { example } from './example.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { references } from './references.ts';

/** `registry schema` */
export const schema = noun({
  summary: 'Register, read, compare and delete schemas',
  flags: contextFlags,
  commands: {
    create,
    get,
    list,
    diff,
    example,
    'check-compatibility': checkCompatibility,
    references,
    delete: deleteCommand,
  },
});
