import { noun } from '../../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { set } from './set.ts';

/** `cluster config` */
export const config = noun({ summary: 'Show and set the configs of brokers', commands: { get, set, list } });
