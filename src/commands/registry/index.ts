import { noun } from '../../cli/command.ts';
import { contextFlags } from '../schema-context.ts';
import { compatibilityLevel } from './compatibility-level.ts';
import { context } from './context.ts';
import { copy } from './copy.ts';
import { mode } from './mode.ts';
import { schema } from './schema/index.ts';
import { subject } from './subject/index.ts';

/** `registry` */
export const registry = noun({
  summary: 'Manage schemas, subjects and compatibility in the schema registry',
  aliases: ['sr', 'schema-registry'],
  flags: contextFlags,
  commands: { schema, subject, 'compatibility-level': compatibilityLevel, mode, context, copy },
});
