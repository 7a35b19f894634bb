import { schemaMode } from './kinds.ts';
import { settingNoun } from './settings.ts';

/** `registry mode` */
export const mode = settingNoun({
  summary: 'Show, set and reset the modes of the registry and its subjects',
  name: 'mode',
  key: 'mode',
  kind: schemaMode,
  forceHelp: 'allow the mode IMPORT although schemas are registered',
  calls: async (context) => (await context.registry()).modes,
  get: {
    summary: 'Show the mode of the registry, or of subjects',
    description: `A subject without a mode of its own has that of its context; the global one is that of the default context.
The column SOURCE tells where it is set. In mode READONLY, nothing can be registered or deleted.`,
    examples: [
      ['The global mode', 'registry mode get'],
      ['Of one subject, and the global one', 'registry mode get orders-value --global'],
    ],
  },
  set: {
    summary: 'Set the mode of the registry, or of subjects',
    description: `READWRITE is the usual mode. In READONLY, nothing can be registered or deleted.

Not every registry has the other modes. In IMPORT, schemas are registered with ids and versions of your choice. FORWARD is
for a registry that another one copies its schemas to. READONLY_OVERRIDE, for the registry as a whole, also applies to
subjects with a mode of their own.`,
    examples: [
      ['Keep the registry from being changed', 'registry mode set --mode READONLY'],
      ['Open one subject again', 'registry mode set orders-value READWRITE'],
      ['Show what would be set', 'registry mode set orders-value --mode READONLY --dry-run'],
    ],
  },
  reset: {
    summary: 'Remove the modes of subjects',
    description: 'The mode of their context applies to them from then on. Shows the mode that was removed.',
    examples: [
      ['Of one subject', 'registry mode reset orders-value'],
      ['Show what would be removed', 'registry mode reset orders-value orders-key --dry-run'],
    ],
  },
});
