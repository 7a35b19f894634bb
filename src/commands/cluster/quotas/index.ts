import { noun } from '../../../cli/command.ts';
import { alter } from './alter.ts';
import { describe } from './describe.ts';
import { importCommand } from './import.ts';

/** `cluster quotas` */
export const quotas = noun({
  summary: 'Describe and change client quotas',
  aliases: ['quota'],
  commands: { describe, alter, import: importCommand },
});
