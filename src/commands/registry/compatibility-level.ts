import { compatibilityLevels } from '../../registry/schema-words.ts';
import { compatibilityLevel as kind } from './kinds.ts';
import { settingNoun } from './settings.ts';

/** `registry compatibility-level` */
export const compatibilityLevel = settingNoun({
  summary: 'Show, set and reset compatibility levels',
  name: 'compatibility level',
  key: 'level',
  kind,
  calls: async (context) => (await context.registry()).levels,
  get: {
    summary: 'Show compatibility levels',
    description: `The compatibility level decides which new versions a subject accepts. A subject without a level of its own has that
of its context; the global one is that of the default context. The column SOURCE tells where it is set.`,
    examples: [
      ['The global level', 'registry compatibility-level get'],
      ['Of two subjects, and the global one', 'registry compatibility-level get orders-value orders-key --global'],
    ],
  },
  set: {
    summary: 'Set compatibility levels',
    description: `Levels: ${compatibilityLevels.join(', ')}.

BACKWARD lets consumers with the new schema read old records, FORWARD lets consumers with the old schema read new records,
FULL means both. The transitive levels compare with all earlier versions instead of the latest one.`,
    examples: [
      ['Of the registry', 'registry compatibility-level set --level BACKWARD'],
      ['Of one subject', 'registry compatibility-level set orders-value full_transitive'],
      ['Show what would be set', 'registry compatibility-level set orders-value --level none --dry-run'],
    ],
  },
  reset: {
    summary: 'Remove the compatibility levels of subjects',
    description: 'The level of their context applies to them from then on. Shows the level that was removed.',
    examples: [
      ['Of one subject', 'registry compatibility-level reset orders-value'],
      ['Show what would be removed', 'registry compatibility-level reset orders-value orders-key --dry-run'],
    ],
  },
});
