import { describeTranscripts } from './all-of.ts';

describeTranscripts('topic', [
  'topic add-partitions',
  'topic alter-config',
  'topic analyze',
  'topic consume',
  'topic delete',
  'topic describe',
  'topic describe-storage',
  'topic elect-leaders',
  'topic find',
  'topic list',
  'topic produce',
  'topic reassign cancel',
  'topic reassign execute',
  'topic reassign list',
  'topic reassign plan',
  'topic reassign wait',
  'topic set-config',
  'topic trim-prefix',
]);
