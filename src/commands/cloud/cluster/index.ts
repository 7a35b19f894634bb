import { noun } from '../../../cli/command.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { select } from './select.ts';
import { update } from './update.ts';

/** `cloud cluster` */
export const cluster = noun({
  summary: 'Create, list, update, delete and select clusters',
  commands: { create, list, get, update, delete: deleteCommand, select },
});
