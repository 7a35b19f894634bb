import { noun } from '../../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { wait } from './wait.ts';

/** `cloud operation` */
export const operation = noun({
  summary: 'Show long-running operations and wait for them',
  commands: { get, list, wait },
});
