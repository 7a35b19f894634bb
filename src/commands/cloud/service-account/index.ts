import { noun } from '../../../cli/command.ts';
import { create } from './create.ts';
import { get } from './get.ts';
import { list } from './list.ts';

/** `cloud service-account` */
export const serviceAccount = noun({
  summary: 'Create and list accounts for programs',
  commands: { create, list, get },
});
