import { noun } from '../../cli/command.ts';
import { consume } from './consume.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { describe } from './describe.ts';
import { list } from './list.ts';
import { produce } from './produce.ts';

/** `topic` */
export const topic = noun({
  summary: 'Create, list, describe and delete topics; produce and consume records',
  commands: { create, list, describe, delete: deleteCommand, produce, consume },
});
