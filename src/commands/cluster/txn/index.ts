import { noun } from '../../../cli/command.ts';
import { abort } from './abort.ts';
import { describe } from './describe.ts';
import { describeProducers } from './describe-producers.ts';
import { findHanging } from './find-hanging.ts';
import { list } from './list.ts';

/** `cluster txn` */
export const txn = noun({
  summary: 'Inspect and abort transactions',
  aliases: ['transaction'],
  commands: { list, describe, 'describe-producers': describeProducers, 'find-hanging': findHanging, abort },
});
