import { noun } from '../../../cli/command.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';

/** `cloud role-binding` */
export const roleBinding = noun({
  summary: 'Give roles to users and service accounts',
  commands: { create, list, get, delete: deleteCommand },
});
